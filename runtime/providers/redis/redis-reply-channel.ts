import type { ReplyChannel } from '../../ports/replies.ts';
import type { RedisCommands } from './client.ts';
import type { Keys } from './keys.ts';
import type { Requests } from './requests.ts';
import type { Subscriptions } from './subscriptions.ts';

/** Replies by PUBLISH: at most once, as the port has it. In a Redis Cluster every node passes every reply on. */
export class RedisReplyChannel implements ReplyChannel {
  readonly #commands: RedisCommands;
  readonly #requests: Requests;
  readonly #keys: Keys;
  readonly #subscriptions: Subscriptions;

  constructor(commands: RedisCommands, requests: Requests, keys: Keys, subscriptions: Subscriptions) {
    this.#commands = commands;
    this.#requests = requests;
    this.#keys = keys;
    this.#subscriptions = subscriptions;
  }

  listen(address: string, receive: (payload: string) => void): Promise<void> {
    return this.#subscriptions.subscribe(this.#keys.replyChannel(address), receive);
  }

  async send(address: string, payload: string): Promise<void> {
    await this.#requests.run(() => this.#commands.publish(this.#keys.replyChannel(address), payload));
  }
}
