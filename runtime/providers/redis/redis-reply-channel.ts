import type { ReplyChannel } from '../../ports/replies.ts';
import type { Keys } from './keys.ts';
import type { Routes } from './routes.ts';
import type { Subscriptions } from './subscriptions.ts';

/** Replies by PUBLISH: at most once, as the port has it. In a Redis Cluster every node passes every reply on. */
export class RedisReplyChannel implements ReplyChannel {
  readonly #routes: Routes;
  readonly #keys: Keys;
  readonly #subscriptions: Subscriptions;

  constructor(routes: Routes, keys: Keys, subscriptions: Subscriptions) {
    this.#routes = routes;
    this.#keys = keys;
    this.#subscriptions = subscriptions;
  }

  listen(address: string, receive: (payload: string) => void): Promise<void> {
    return this.#subscriptions.subscribe(this.#keys.replyChannel(address), receive);
  }

  async send(address: string, payload: string): Promise<void> {
    const channel = this.#keys.replyChannel(address);
    await this.#routes.of(channel).run((commands) => commands.publish(channel, payload));
  }
}
