import { pause } from '../../async/pause.ts';
import { waitAtMost } from '../../async/wait-at-most.ts';
import { Complaints } from '../actor/complaints.ts';
import type { Logger } from '../actor/logger.ts';
import type { Clock } from '../ports/clock.ts';
import type { AcquiredPartition, Lease } from '../ports/leases.ts';
import type { LogEntry } from '../ports/log.ts';
import type { LogProvider } from '../ports/log-provider.ts';
import type { Position } from '../ports/position.ts';
import type { RelayedAppends, RelayedEntry } from '../ports/relayed.ts';
import { PartitionRelay } from './partition-relay.ts';
import { madeAtMsOf, sourceName } from './source-name.ts';

/** What an entry of the region's log is at home. `madeAtMs`: when that log was made, ms since the epoch. */
export type RelayDecoder = (entry: LogEntry, madeAtMs: number) => RelayedEntry;

export interface RelayOptions {
  /** The region's log, which nobody else reads in this process. */
  readonly region: Pick<LogProvider, 'log' | 'leases' | 'relayed'>;
  readonly home: RelayedAppends;
  readonly regionName: string;
  readonly decode: RelayDecoder;
  /** The unique name of this process. */
  readonly owner: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** ms for which the region's log keeps what is at home; default 15 minutes. */
  readonly retainMs?: number;
  /** ms after which a relay that died is replaced; default 10 s. */
  readonly leaseMs?: number;
}

/** How far a relay is behind. */
export interface RelayBacklog {
  /** Partitions that this process relays. */
  readonly partitions: number;
  /** Entries that are not at home, or not known to be. */
  readonly entries: number;
  /** ms for which some partition has not been known to be drained; 0 without partitions. */
  readonly behindMs: number;
}

const BATCH = 500;
const WAIT_MS = 200;
const PAUSE_AFTER_FAILURE_MS = 500;
const RETAIN_MS = 15 * 60_000;
const LEASE_MS = 10_000;
/**
 * The longest that a process that ends waits for home, ms: what is left waits in the region's log for another relay.
 */
const CLOSE_WITHIN_MS = 3_000;

/**
 * Brings the entries of a region's log home, each partition in order and with one batch under way. What is home's is
 * decided at home: the relay begins where home says that it has the source. So a relay may die at any step, and two at
 * work cost time and nothing else. The region's log is trimmed later than home has acknowledged.
 */
export class RegionRelay {
  readonly #options: RelayOptions;
  readonly #relays = new Map<number, PartitionRelay>();
  readonly #busy = new Map<number, Promise<void>>();
  #source = '';
  #renewedAtMs = Number.NEGATIVE_INFINITY;
  readonly #closing = new AbortController();
  #running: Promise<void> = Promise.resolve();
  readonly #complaints: Complaints;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#complaints = new Complaints(options);
  }

  /** `<region>#<identity of its log>`; '' until it is known. */
  get source(): string {
    return this.#source;
  }

  get backlog(): RelayBacklog {
    const relays = [...this.#relays.values()];
    return {
      partitions: relays.length,
      entries: relays.reduce((sum, { backlogEntries }) => sum + backlogEntries, 0),
      behindMs: relays.reduce((most, { behindMs }) => Math.max(most, behindMs), 0),
    };
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Brings home what is there, as far as that is possible within seconds, and frees the partitions. */
  async close(): Promise<void> {
    const { region, clock } = this.#options;
    this.#closing.abort();
    region.log.wake();
    await this.#running;
    await waitAtMost(clock, CLOSE_WITHIN_MS, this.#bringTheRest());
    await Promise.all([...this.#relays.values()].map(({ lease }) => region.leases.release(lease).catch(() => {})));
    this.#relays.clear();
    this.#complaints.close();
  }

  /** Of partitions that nobody has, too: this may be the last relay of the region for a while. */
  async #bringTheRest(): Promise<void> {
    await Promise.all(this.#busy.values());
    try {
      if ((await this.#readSource()) !== this.#source) return;
      await this.#acquireFree(this.#options.leaseMs ?? LEASE_MS);
      await Promise.all(Array.from(this.#relays.values(), (relay) => this.#bringRestOf(relay)));
    } catch (error) {
      this.#complain(error);
    }
  }

  async #bringRestOf(relay: PartitionRelay): Promise<void> {
    const { log } = this.#options.region;
    const { partition } = relay.lease;
    for (let isMore = true; isMore; ) {
      const found = (await log.read(new Map([[partition, relay.after]]), BATCH, 0)).get(partition) ?? [];
      if ((await this.#readSource()) !== this.#source || !(await relay.send(found))) return;
      isMore = found.length > 0;
    }
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      try {
        await this.#round();
      } catch (error) {
        this.#complain(error);
        await pause(this.#options.clock, PAUSE_AFTER_FAILURE_MS, this.#closing.signal);
      }
    }
  }

  async #round(): Promise<void> {
    const { region, clock, leaseMs = LEASE_MS } = this.#options;
    if (clock.monotonic() - this.#renewedAtMs >= leaseMs / 3) await this.#lease(leaseMs);
    const free = new Map<number, Position>();
    for (const [partition, { after }] of this.#relays) if (!this.#busy.has(partition)) free.set(partition, after);
    if (free.size === 0) {
      await pause(clock, WAIT_MS, this.#closing.signal);
      return;
    }
    const found = await region.log.read(free, BATCH, WAIT_MS);
    // What was read between two looks at the same name is of the log of that name.
    const source = await this.#readSource();
    if (source !== this.#source) {
      this.#turnTo(source);
      return;
    }
    for (const partition of free.keys()) {
      const relay = this.#relays.get(partition);
      const entries = found.get(partition) ?? [];
      if (relay === undefined || this.#busy.has(partition) || (entries.length === 0 && !relay.isDue)) continue;
      const sending = relay
        .send(entries)
        .then(
          (holds) => {
            if (!holds) this.#relays.delete(partition);
          },
          (error) => {
            this.#complain(error);
            return pause(clock, PAUSE_AFTER_FAILURE_MS, this.#closing.signal);
          },
        )
        .finally(() => {
          this.#busy.delete(partition);
          region.log.wake();
        });
      this.#busy.set(partition, sending);
    }
  }

  async #lease(leaseMs: number): Promise<void> {
    const { region, clock } = this.#options;
    const atMs = clock.monotonic();
    const source = await this.#readSource();
    if (source !== this.#source) this.#turnTo(source);
    const held: Lease[] = [...this.#relays.values()].map(({ lease }) => lease);
    const kept = held.length === 0 ? [] : await region.leases.renew(held, leaseMs);
    const renewed = new Set(kept.map(({ partition }) => partition));
    for (const { partition } of held) if (!renewed.has(partition)) this.#relays.delete(partition);
    await this.#acquireFree(leaseMs);
    this.#renewedAtMs = atMs;
  }

  async #acquireFree(leaseMs: number): Promise<void> {
    const { region, owner } = this.#options;
    const wanted = Array.from({ length: region.log.partitions }, (_, partition) => partition).filter(
      (partition) => !this.#relays.has(partition) && !this.#busy.has(partition),
    );
    if (wanted.length === 0) return;
    const acquired = await region.leases.acquire(wanted, owner, leaseMs);
    await Promise.all(acquired.map((one) => this.#begin(one)));
  }

  async #begin(acquired: AcquiredPartition): Promise<void> {
    const { region, home, clock, logger, decode, retainMs = RETAIN_MS } = this.#options;
    const source = this.#source;
    const madeAtMs = madeAtMsOf(source);
    const relay = new PartitionRelay(
      { region, home, clock, logger, source, retainMs, decode: (entry) => decode(entry, madeAtMs) },
      acquired,
    );
    try {
      await relay.begin();
      this.#relays.set(acquired.lease.partition, relay);
    } catch (error) {
      this.#complain(error);
      await region.leases.release(acquired.lease).catch(() => {});
    }
  }

  async #readSource(): Promise<string> {
    return sourceName(this.#options.regionName, await this.#options.region.relayed.identity());
  }

  /**
   * Turns to the log that was made anew, as its leases went with the lost one. What home did not have of that is named.
   */
  #turnTo(source: string): void {
    if (this.#source !== '') {
      const { partitions, entries: lost } = this.backlog;
      this.#options.logger.error({ source: this.#source, partitions, lost }, "the region's log was made anew");
    }
    this.#source = source;
    this.#relays.clear();
    this.#renewedAtMs = Number.NEGATIVE_INFINITY;
  }

  #complain(error: unknown): void {
    this.#complaints.warn({ err: error, source: this.#source }, 'the relay of the region cannot go on: trying again');
  }
}
