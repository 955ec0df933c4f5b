import { LogUnavailable } from '../../ports/errors.ts';
import type { RedisClient } from './client.ts';
import type { Requests } from './requests.ts';

/**
 * The channels this process listens to, over a connection of their own (the client subscribes again by itself when
 * that is lost). What is published while it is lost is not heard: listeners live with that.
 */
export class Subscriptions {
  readonly #client: RedisClient;
  readonly #requests: Requests;
  readonly #receivers = new Map<string, (message: string) => void>();
  readonly #pulse: NodeJS.Timeout;

  /**
   * `restored` is called when the connection is back. Every `pulseMs` the connection is asked for a sign of life, so
   * that one whose other end has silently gone is thrown away.
   */
  constructor(
    client: RedisClient,
    requests: Requests,
    options: { pulseMs: number; restored: () => void; report: (problem: string, cause: unknown) => void },
  ) {
    this.#client = client;
    this.#requests = requests;
    client.on('message', (channel: string, message: string) => {
      try {
        this.#receivers.get(channel)?.(message);
      } catch (error) {
        options.report(`a listener of ${channel}`, error);
      }
    });
    client.on('ready', options.restored);
    this.#pulse = setInterval(() => {
      if (client.status === 'ready') client.ping().catch(() => {});
    }, options.pulseMs);
    this.#pulse.unref();
  }

  /** Delivers what is published on `channel` from when the promise resolves; replaces an earlier receiver. */
  async subscribe(channel: string, receive: (message: string) => void): Promise<void> {
    this.#receivers.set(channel, receive);
    try {
      await this.#requests.run(() => this.#client.subscribe(channel));
    } catch (error) {
      this.#receivers.delete(channel);
      throw error instanceof LogUnavailable ? error : new LogUnavailable('cannot subscribe', { cause: error });
    }
  }

  close(): void {
    clearInterval(this.#pulse);
  }
}
