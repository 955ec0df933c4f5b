import type { Redis } from 'ioredis';
import { closeClient } from './client.ts';
import type { CommandRunner } from './command-runner.ts';

/** Before another connection is tried where one came to its end. */
const PAUSE_MS = 50;

interface Receiver {
  readonly receive: (message: string) => void;
  readonly missed: () => void;
}

interface SubscriptionsOptions {
  /** Every so often the connection is asked for a sign of life, so that one whose other end has silently gone is thrown away. */
  readonly pulseMs: number;
  readonly report: (problem: string, cause: unknown) => void;
}

/**
 * The channels this process listens to, over a connection of their own. When that is lost they are subscribed to
 * again; what is published meanwhile is not heard, which their listeners are told.
 */
export class Subscriptions {
  readonly #connect: () => Redis;
  readonly #requests: CommandRunner;
  readonly #report: SubscriptionsOptions['report'];
  readonly #receivers = new Map<string, Receiver>();
  readonly #pulse: NodeJS.Timeout;
  #client: Redis;
  #again: NodeJS.Timeout | undefined;

  /** `connect` opens a connection that connects anew by itself, or ends for good: then it is called again. */
  constructor(connect: () => Redis, requests: CommandRunner, options: SubscriptionsOptions) {
    this.#connect = connect;
    this.#requests = requests;
    this.#report = options.report;
    this.#client = this.#open();
    this.#pulse = setInterval(() => {
      if (this.#client.status === 'ready') this.#client.ping().catch(() => {});
    }, options.pulseMs);
    this.#pulse.unref();
  }

  /** Delivers what is published on `channel` from when the promise resolves; replaces an earlier receiver. */
  async subscribe(channel: string, receive: (message: string) => void, missed: () => void = () => {}): Promise<void> {
    this.#receivers.set(channel, { receive, missed });
    await this.#requests.run(() => this.#client.subscribe(channel));
  }

  async close(): Promise<void> {
    clearInterval(this.#pulse);
    clearTimeout(this.#again);
    this.#client.removeAllListeners('end');
    await closeClient(this.#client);
  }

  #open(): Redis {
    const client = this.#connect();
    client.on('message', (channel: string, message: string) => {
      try {
        this.#receivers.get(channel)?.receive(message);
      } catch (error) {
        this.#report(`a listener of ${channel}`, error);
      }
    });
    client.on('ready', () => {
      const channels = [...this.#receivers.keys()];
      if (channels.length === 0) return;
      client.subscribe(...channels).then(
        () => {
          for (const { missed } of this.#receivers.values()) missed();
        },
        (error: unknown) => this.#report('subscribing again', error),
      );
    });
    client.on('end', () => {
      this.#again = setTimeout(() => {
        this.#client = this.#open();
      }, PAUSE_MS);
      this.#again.unref();
    });
    return client;
  }
}
