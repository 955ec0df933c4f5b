import type { RedisClient } from './client.ts';
import type { Requests } from './requests.ts';

/**
 * The channels this process listens to, over a connection of their own. When that is lost they are subscribed to
 * again; what is published meanwhile is not heard, and listeners live with that.
 */
export class Subscriptions {
  readonly #client: RedisClient;
  readonly #requests: Requests;
  readonly #receivers = new Map<string, (message: string) => void>();
  readonly #pulse: NodeJS.Timeout;

  /**
   * `restored` is called when all is subscribed to again. Every `pulseMs` the connection is asked for a sign of life, so
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
    client.on('ready', () => {
      const channels = [...this.#receivers.keys()];
      if (channels.length === 0) return;
      client.subscribe(...channels).then(options.restored, (error: unknown) => {
        options.report('subscribing again', error);
      });
    });
    this.#pulse = setInterval(() => {
      if (client.status === 'ready') client.ping().catch(() => {});
    }, options.pulseMs);
    this.#pulse.unref();
  }

  /** Delivers what is published on `channel` from when the promise resolves; replaces an earlier receiver. */
  async subscribe(channel: string, receive: (message: string) => void): Promise<void> {
    this.#receivers.set(channel, receive);
    await this.#requests.run(() => this.#client.subscribe(channel));
  }

  close(): void {
    clearInterval(this.#pulse);
  }
}
