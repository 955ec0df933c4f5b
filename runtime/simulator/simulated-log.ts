import type { CatalogueEntry, CatalogueLog } from '../ports/catalogue-log.ts';
import { LogUnavailable } from '../ports/errors.ts';
import type { LeaseTable } from '../ports/leases.ts';
import type { MessageLog } from '../ports/log.ts';
import type { LogProvider } from '../ports/log-provider.ts';
import type { RelayedAppends } from '../ports/relayed.ts';
import type { ReplyChannel } from '../ports/replies.ts';
import type { SharedRecords } from '../ports/shared-records.ts';
import { Connection, InOrderDelays } from './connection.ts';
import { type CallsOf, type LogCalls, type ServeAt, straight } from './log-calls.ts';
import type { LogServer } from './log-server.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { Shard } from './unavailable-shards.ts';
import type { World } from './world.ts';

/** The maximum time that a message of the reply channel is under way, ms. */
const CHANNEL_UP_TO_MS = 5;

/** The log provider of one process: the server, seen through a connection that can fail in every way. */
export class SimulatedLog implements LogProvider {
  readonly connection: Connection;
  readonly log: MessageLog;
  readonly relayed: RelayedAppends;
  readonly leases: LeaseTable;
  readonly catalogue: CatalogueLog;
  readonly replies: ReplyChannel;
  readonly records: SharedRecords;
  readonly warnings: readonly string[] = [];
  readonly #calls: LogCalls;
  readonly #partitions: number;
  readonly #world: World;
  /** The functions that end each waiting read. */
  readonly #ends = new Set<() => void>();

  constructor(
    server: LogServer,
    process: SimulatedProcess,
    world: World,
    deadlineMs: number,
    callsOf: CallsOf = straight(server),
  ) {
    this.#partitions = server.partitions.length;
    this.#world = world;
    this.connection = new Connection(process, world, deadlineMs, (call) => new LogUnavailable(`${call}: no answer`));
    this.#calls = callsOf(this.connection);
    this.log = this.#log();
    this.relayed = this.#relayed();
    this.leases = this.#leases();
    this.catalogue = this.#catalogue();
    this.replies = this.#replies();
    this.records = this.#records(process.name);
  }

  async healthy(): Promise<boolean> {
    return this.connection.request<boolean>('log.healthy', (answer) => answer(true)).catch(() => false);
  }

  async close(): Promise<void> {
    for (const end of this.#ends) end();
    this.#calls.close();
    this.connection.close();
  }

  #log(): MessageLog {
    let wake = () => {};
    return {
      partitions: this.#partitions,
      append: (partition, payloads, options) =>
        this.#call(partition, 'append', (server, answer, fail) =>
          server.append(partition, payloads, options?.maxLength, answer, fail),
        ),
      appendOnce: (partition, entries, ofData) =>
        this.#call(partition, 'appendOnce', (server, answer, fail) => {
          if (ofData !== undefined && ofData !== server.data.identity)
            fail(new LogUnavailable(`the data are not those of the name ${ofData}`));
          else server.appendOnce(partition, entries, answer);
        }),
      markOnce: (partition, marks) =>
        this.#call(partition, 'markOnce', (server, answer) => server.markOnce(partition, marks, answer)),
      remembers: (partition, names) =>
        this.#call(partition, 'remembers', (server, answer) =>
          answer(names.map((name) => server.partition(partition).remembers(name))),
        ),
      read: (after, limit, waitMs) => {
        const wanted = () => new Map([...after].filter(([partition]) => !this.#world.shards.isUnavailable(partition)));
        return this.#waiting(
          'read',
          waitMs,
          (server, answer, forMs) => server.read(wanted(), limit, forMs, answer),
          () => new Map(),
          (end) => {
            wake = end;
          },
          // Who does not wait is told of each partition, or that one of them cannot be asked.
          waitMs > 0 ? [] : [...after.keys()],
        );
      },
      wake: () => wake(),
      tail: (partition) => this.#call(partition, 'tail', (server, answer) => answer(server.tail(partition))),
    };
  }

  #relayed(): RelayedAppends {
    const unique = String(this.#world.random.between(0, 1e9));
    return {
      identity: () => this.#call('members', 'identity', (server, answer) => answer(server.identity(unique))),
      appendRelayed: (partition, source, batch) =>
        this.#call(partition, 'appendRelayed', (server, answer) =>
          server.appendRelayed(partition, source, batch, answer),
        ),
      sources: (partition) => this.#call(partition, 'sources', (server, answer) => answer(server.sources(partition))),
      writeOff: (partition, source, why) =>
        this.#call(partition, 'writeOff', (server, answer) => answer(server.writeOff(partition, source, why))),
      tooLate: (partition, limit) =>
        this.#call(partition, 'tooLate', (server, answer) => answer(server.partition(partition).tooLate(limit))),
    };
  }

  #records(writer: string): SharedRecords {
    let written = 0;
    return {
      groups: 1,
      read: (id) => this.#call('members', 'record', (server, answer) => answer(server.data.records.get(id) ?? null)),
      replace: (id, before, text) => {
        const record = text === null ? null : { version: `${writer}-${++written}`, text };
        return this.#call('members', 'replaceRecord', (server, answer) =>
          answer(server.replaceRecord(id, before, record)),
        );
      },
      list: () =>
        this.#call('members', 'records', (server, answer) =>
          answer([...server.data.records].map(([id, record]) => ({ id, ...record }))),
        ),
    };
  }

  #leases(): LeaseTable {
    return {
      heartbeat: (member, ttlMs, condition) =>
        this.#call('members', 'heartbeat', (server, answer) => answer(server.heartbeat(member, ttlMs, condition))),
      leave: (member) => this.#call('members', 'leave', (server, answer) => answer(server.leave(member))),
      acquire: (partitions, owner, ttlMs) =>
        this.#call(partitions, 'acquire', (server, answer) => answer(server.acquire(partitions, owner, ttlMs))),
      renew: (leases, ttlMs) =>
        this.#call(
          leases.map(({ partition }) => partition),
          'renew',
          (server, answer) => answer(server.renew(leases, ttlMs)),
        ),
      release: (lease) => this.#call(lease.partition, 'release', (server, answer) => answer(server.release(lease))),
      cursors: (partitions) =>
        this.#call(partitions, 'cursors', (server, answer) => answer(server.cursors(partitions))),
      tokens: (partitions) => this.#call(partitions, 'tokens', (server, answer) => answer(server.tokens(partitions))),
      commit: (lease, cursor, token) =>
        this.#call(lease.partition, 'commit', (server, answer) => answer(server.commit(lease, cursor, token))),
      note: (lease, note) =>
        this.#call(lease.partition, 'note', (server, answer) =>
          answer(server.withLease(lease, (truth) => truth.note(note))),
        ),
      raise: (lease, position) =>
        this.#call(lease.partition, 'raise', (server, answer) => answer(server.raise(lease, position))),
    };
  }

  #catalogue(): CatalogueLog {
    return {
      publish: (payloads) => this.#call('catalogue', 'publish', (server, answer) => answer(server.publish(payloads))),
      tail: () => this.#call('catalogue', 'catalogue tail', (server, answer) => answer(server.catalogue.tail)),
      read: (after, limit, waitMs) =>
        this.#waiting<CatalogueEntry[]>(
          'catalogue read',
          waitMs,
          (server, answer, forMs) => server.readCatalogue(after, limit, forMs, answer),
          () => [],
          () => {},
          ['catalogue'],
        ),
    };
  }

  #replies(): ReplyChannel {
    const { random, faults } = this.#world;
    const queue = new InOrderDelays(this.#world);
    return {
      listen: (address, receive, missed = () => {}) => {
        this.connection.onRestored = missed;
        const hear = (payload: string) => {
          try {
            receive(payload);
          } catch (error) {
            this.#world.trace.note(this.#world.time.nowMs, () => `a listener failed: ${error}`);
          }
        };
        const { process } = this.connection;
        const { time } = this.#world;
        const cross = (payload: string) => {
          const { link } = this.connection;
          if (link === null) return hear(payload);
          if (link.isCut) return;
          time.after(link.oneWayMs, 'reply crosses a link', () => {
            if (!link.isCut) process.deliver(() => hear(payload));
          });
        };
        return this.#calls.call('listen', (server, answer) => answer(server.listen(address, process, cross)));
      },
      send: (address, payload) =>
        this.#calls.call('reply', (server, answer) => {
          if (!faults.strikes('channelLost', 'reply channel: message lost')) {
            server.send(address, payload, () => queue.delayMs(random.between(0, CHANNEL_UP_TO_MS)));
          }
          answer();
        }),
    };
  }

  /** Makes a call about the data of these shards. */
  #call<T>(shards: Shard | readonly Shard[], name: string, serve: ServeAt<T>, patienceMs?: number): Promise<T> {
    const about = Array.isArray(shards) ? (shards as readonly Shard[]) : [shards as Shard];
    return this.#calls.call<T>(
      name,
      (server, answer, fail) => {
        if (this.#world.shards.lets(about, fail)) serve(server, answer, fail);
      },
      patienceMs,
    );
  }

  /** Makes a call that the server answers when there is something, and that this process can end by itself. */
  #waiting<T>(
    call: string,
    waitMs: number,
    serve: (server: LogServer, answer: (value: T) => void, waitMs: number) => () => void,
    empty: () => T,
    wakeable: (wake: () => void) => void = () => {},
    shards: readonly Shard[] = [],
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
      const request = this.#call<T>(
        shards,
        call,
        (server, answer) => {
          stopServing = serve(server, answer, woken ? 0 : waitMs);
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
