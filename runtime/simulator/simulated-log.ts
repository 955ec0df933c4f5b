import type { CatalogueEntry, CatalogueLog } from '../ports/catalogue-log.ts';
import { LogUnavailable } from '../ports/errors.ts';
import type { LeaseTable } from '../ports/leases.ts';
import type { MessageLog } from '../ports/log.ts';
import type { LogProvider } from '../ports/log-provider.ts';
import type { ReplyChannel } from '../ports/replies.ts';
import { Connection, InOrder } from './connection.ts';
import type { LogServer } from './log-server.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { World } from './world.ts';

/** Longest time a message of the reply channel is under way. */
const CHANNEL_UP_TO_MS = 5;

/** One process's provider of the log: the server, seen through a connection that can fail in every way. */
export class SimulatedLog implements LogProvider {
  readonly connection: Connection;
  readonly log: MessageLog;
  readonly leases: LeaseTable;
  readonly catalogue: CatalogueLog;
  readonly replies: ReplyChannel;
  readonly warnings: readonly string[] = [];
  readonly #server: LogServer;
  readonly #world: World;
  /** Ends each read that waits. */
  readonly #ends = new Set<() => void>();

  constructor(server: LogServer, process: SimulatedProcess, world: World, deadlineMs: number) {
    this.#server = server;
    this.#world = world;
    this.connection = new Connection(process, world, deadlineMs, (call) => new LogUnavailable(`${call}: no answer`));
    this.log = this.#log();
    this.leases = this.#leases();
    this.catalogue = this.#catalogue();
    this.replies = this.#replies();
  }

  async healthy(): Promise<boolean> {
    return this.connection.request<boolean>('log.healthy', (answer) => answer(true)).catch(() => false);
  }

  async close(): Promise<void> {
    for (const end of this.#ends) end();
    this.connection.close();
  }

  #log(): MessageLog {
    const server = this.#server;
    let wake = () => {};
    return {
      partitions: server.partitions.length,
      append: (partition, payloads, options) =>
        this.connection.request('append', (answer, fail) =>
          server.append(partition, payloads, options?.maxLength, answer, fail),
        ),
      appendOnce: (partition, entries) =>
        this.connection.request('appendOnce', (answer) => server.appendOnce(partition, entries, answer)),
      markOnce: (partition, marks) =>
        this.connection.request('markOnce', (answer) => server.markOnce(partition, marks, answer)),
      remembers: (partition, names) =>
        this.connection.request('remembers', (answer) =>
          answer(names.map((name) => server.partition(partition).remembers(name))),
        ),
      read: (after, limit, waitMs) => {
        const wanted = new Map(after);
        return this.#waiting(
          'read',
          waitMs,
          (answer, forMs) => server.read(wanted, limit, forMs, answer),
          () => new Map(),
          (end) => {
            wake = end;
          },
        );
      },
      wake: () => wake(),
      tail: (partition) => this.connection.request('tail', (answer) => answer(server.tail(partition))),
    };
  }

  #leases(): LeaseTable {
    const server = this.#server;
    const { connection } = this;
    return {
      heartbeat: (member, ttlMs, condition) =>
        connection.request('heartbeat', (answer) => answer(server.heartbeat(member, ttlMs, condition))),
      leave: (member) => connection.request('leave', (answer) => answer(server.leave(member))),
      acquire: (partitions, owner, ttlMs) =>
        connection.request('acquire', (answer) => answer(server.acquire(partitions, owner, ttlMs))),
      renew: (leases, ttlMs) => connection.request('renew', (answer) => answer(server.renew(leases, ttlMs))),
      release: (lease) =>
        connection.request('release', (answer) => answer(server.partition(lease.partition).release(lease))),
      cursors: (partitions) => connection.request('cursors', (answer) => answer(server.cursors(partitions))),
      tokens: (partitions) => connection.request('tokens', (answer) => answer(server.tokens(partitions))),
      commit: (lease, cursor, token) =>
        connection.request('commit', (answer) => answer(server.commit(lease, cursor, token))),
      note: (lease, note) =>
        connection.request('note', (answer) => answer(server.withLease(lease, (truth) => truth.note(note)))),
      raise: (lease, position) => connection.request('raise', (answer) => answer(server.raise(lease, position))),
    };
  }

  #catalogue(): CatalogueLog {
    const server = this.#server;
    return {
      publish: (payloads) => this.connection.request('publish', (answer) => answer(server.publish(payloads))),
      tail: () => this.connection.request('catalogue tail', (answer) => answer(server.catalogue.tail)),
      read: (after, limit, waitMs) =>
        this.#waiting<CatalogueEntry[]>(
          'catalogue read',
          waitMs,
          (answer, forMs) => server.readCatalogue(after, limit, forMs, answer),
          () => [],
        ),
    };
  }

  #replies(): ReplyChannel {
    const server = this.#server;
    const { random, faults } = this.#world;
    const queue = new InOrder(this.#world);
    return {
      listen: (address, receive) => {
        const hear = (payload: string) => {
          try {
            receive(payload);
          } catch (error) {
            this.#world.trace.note(this.#world.time.nowMs, () => `a listener failed: ${error}`);
          }
        };
        const { process } = this.connection;
        return this.connection.request('listen', (answer) => answer(server.listen(address, process, hear)));
      },
      send: (address, payload) =>
        this.connection.request('reply', (answer) => {
          if (!faults.strikes('channelLost', 'reply channel: message lost')) {
            server.send(address, payload, () => queue.delayMs(random.between(0, CHANNEL_UP_TO_MS)));
          }
          answer();
        }),
    };
  }

  /** A call that the server answers when there is something, and that this process can end by itself. */
  #waiting<T>(
    call: string,
    waitMs: number,
    serve: (answer: (value: T) => void, waitMs: number) => () => void,
    empty: () => T,
    wakeable: (wake: () => void) => void = () => {},
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let stopServing = () => {};
      let woken = false;
      const end = () => {
        stopServing();
        resolve(empty());
      };
      this.#ends.add(end);
      wakeable(() => {
        woken = true;
        stopServing();
      });
      const request = this.connection.request<T>(
        call,
        (answer) => {
          stopServing = serve(answer, woken ? 0 : waitMs);
        },
        waitMs,
      );
      const forget = () => {
        this.#ends.delete(end);
        stopServing();
      };
      request.then(
        (value) => {
          forget();
          resolve(value);
        },
        (error) => {
          forget();
          reject(error);
        },
      );
    });
  }
}
