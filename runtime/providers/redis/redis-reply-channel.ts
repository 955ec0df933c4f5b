import type { ReplyChannel } from '../../ports/replies.ts';
import type { Keys } from './keys.ts';
import type { Subscriptions } from './subscriptions.ts';

/** Sends replies by PUBLISH: at most once, as the port says. In a Redis Cluster every node passes every reply on. */
export class RedisReplyChannel implements ReplyChannel {
  readonly #publish: (channel: string, message: string) => Promise<unknown>;
  readonly #keys: Keys;
  readonly #subscriptions: Subscriptions;

  constructor(
    publish: (channel: string, message: string) => Promise<unknown>,
    keys: Keys,
    subscriptions: Subscriptions,
  ) {
    this.#publish = publish;
    this.#keys = keys;
    this.#subscriptions = subscriptions;
  }

  listen(address: string, receive: (payload: string) => void, missed?: () => void): Promise<void> {
    return this.#subscriptions.subscribe(this.#keys.replyChannel(address), receive, missed);
  }

  async send(address: string, payload: string): Promise<void> {
    await this.#publish(this.#keys.replyChannel(address), payload);
  }
}
