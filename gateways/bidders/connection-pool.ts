import { Client, type Dispatcher } from 'undici';

/** What one call at a time goes through. */
export interface Channel {
  readonly client: Pick<Dispatcher, 'dispatch'>;
  /** Gives it back after `Channels.take`, once. `alive`: the answer came to its end, so the next call finds it open. */
  release(alive: boolean): void;
}

/** The way to one bidder. */
export interface ChannelPool {
  take(): Channel;
  /** Closes each channel when its call has ended. */
  close(): Promise<void>;
  /** Closes all at once; calls under way fail. */
  destroy(): Promise<void>;
}

/** One connection to a bidder; it comes about with the first call and again after each loss. */
export class Connection implements Channel {
  readonly client: Client;
  readonly #pool: ConnectionPool;

  constructor(client: Client, home: ConnectionPool) {
    this.client = client;
    this.#pool = home;
  }

  release(alive: boolean): void {
    this.#pool.release(this, alive);
  }
}

/**
 * The kept-alive connections to one origin, one call at a time on each. Whoever takes them bounds their number.
 *
 * In place of the HTTP client's own pool, which looks for a free connection by walking all of them and tells listeners
 * of each change: that is a tenth of all the CPU that a fan-out to five bidders costs.
 */
export class ConnectionPool implements ChannelPool {
  readonly #origin: string;
  readonly #options: Client.Options;
  readonly #all: Connection[] = [];
  /** The one used last is used next, so that those that are not needed run into their keep-alive limit. */
  readonly #idle: Connection[] = [];

  constructor(origin: string, options: Client.Options) {
    this.#origin = origin;
    this.#options = options;
  }

  take(): Connection {
    const idle = this.#idle.pop();
    if (idle) return idle;
    const opened = new Connection(new Client(this.#origin, this.#options), this);
    this.#all.push(opened);
    return opened;
  }

  release(connection: Connection, alive: boolean): void {
    if (alive) this.#idle.push(connection);
    // Behind those that are open: it would have to be made anew.
    else this.#idle.unshift(connection);
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map(({ client }) => client.close()));
  }

  async destroy(): Promise<void> {
    await Promise.all(this.#all.map(({ client }) => client.destroy()));
  }
}
