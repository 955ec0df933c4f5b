import type { Redis } from 'ioredis';
import { closeClient } from './client.ts';
import type { CommandRunner } from './command-runner.ts';

/** The pause before a connection that ended is replaced, ms. */
const PAUSE_MS = 50;

interface Receiver {
  readonly receive: (message: string) => void;
  readonly missed: () => void;
}

interface SubscriptionsOptions {
  /** The interval of pings on the connection, so that one whose other end has silently gone is replaced, ms. */
  readonly pulseMs: number;
  readonly report: (problem: string, cause: unknown) => void;
}

/**
 * The channels that this process listens to, over a connection of their own. When the connection is lost, its successor
 * subscribes again; messages published meanwhile are lost, which the listeners learn through `missed`.
 */
export class Subscriptions {
  readonly #connect: () => Redis;
  readonly #requests: CommandRunner;
  readonly #report: SubscriptionsOptions['report'];
  readonly #receivers = new Map<string, Receiver>();
  readonly #pulse: NodeJS.Timeout;
  #client: Redis;
  #again: NodeJS.Timeout | undefined;

  /** `connect` opens a connection that reconnects by itself, or ends for good: then `connect` is called again. */
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

  /** Delivers messages published on `channel` from when the promise resolves; replaces an earlier receiver. */
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
