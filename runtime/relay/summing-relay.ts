import { pause } from '../../async/pause.ts';
import { waitAtMost } from '../../async/wait-at-most.ts';
import { Complaints } from '../actor/complaints.ts';
import type { Logger } from '../actor/logger.ts';
import { desiredPartitions } from '../node/desired-partitions.ts';
import type { Clock } from '../ports/clock.ts';
import type { AcquiredPartition } from '../ports/leases.ts';
import type { LogProvider } from '../ports/log-provider.ts';
import type { HeldBatch, MessageSum } from '../ports/message-sum.ts';
import type { Position } from '../ports/position.ts';
import { sourceName } from './source-name.ts';
import { type HomeOfSums, SummingPartition } from './summing-partition.ts';

export interface SummingRelayOptions {
  /** The region's log of what is summed, which nobody else reads in this process. */
  readonly region: Pick<LogProvider, 'log' | 'leases' | 'relayed'>;
  readonly home: HomeOfSums;
  readonly regionName: string;
  readonly newSum: () => MessageSum;
  /** Whether a batch is to be sent now. */
  readonly isDue: (batch: HeldBatch) => boolean;
  /** The unique name of this process. */
  readonly owner: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** ms after which a relay that died is replaced; default 10 s. */
  readonly leaseMs?: number;
}

/** What a relay of sums has done, and how far it is behind. */
export interface SummingFigures {
  /** Partitions that this process relays. */
  readonly partitions: number;
  /** Messages that were read, of which some may be read again by another relay. */
  readonly read: number;
  /** Messages that were brought home. */
  readonly sent: number;
  /** ms for which the oldest batch waits that could not be brought home so far. */
  readonly behindMs: number;
}

const BATCH = 100;
const WAIT_MS = 200;
const PAUSE_AFTER_FAILURE_MS = 500;
const LEASE_MS = 10_000;
/** The longest that a process that ends waits for home, ms: other relays of the region bring what is left. */
const CLOSE_WITHIN_MS = 3_000;
const FIT = { fitness: 'fit', declines: [] } as const;

/**
 * Brings the messages of a region's log home, summed: those to one receiver that come within a few seconds become one.
 * The partitions are shared among the relays of a region.
 */
export class SummingRelay {
  readonly #options: SummingRelayOptions;
  readonly #relays = new Map<number, SummingPartition>();
  readonly #busy = new Map<number, Promise<void>>();
  /** When batches that failed were first to be sent, monotonic ms. */
  readonly #failingSinceMs = new Map<SummingPartition, number>();
  readonly #closing = new AbortController();
  #renewedAtMs = Number.NEGATIVE_INFINITY;
  /** `<region>#<identity of its log>`; '' until it is known. */
  #source = '';
  #desired: ReadonlySet<number> = new Set();
  #running: Promise<void> = Promise.resolve();
  readonly #complaints: Complaints;
  #read = 0;
  #sent = 0;

  constructor(options: SummingRelayOptions) {
    this.#options = options;
    this.#complaints = new Complaints(options);
  }

  get figures(): SummingFigures {
    const nowMs = this.#options.clock.monotonic();
    return {
      partitions: this.#relays.size,
      read: this.#read,
      sent: this.#sent,
      behindMs: Math.max(0, ...[...this.#failingSinceMs.values()].map((sinceMs) => nowMs - sinceMs)),
    };
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Brings home what is there, as far as that is possible within seconds, and frees the partitions. */
  async close(): Promise<void> {
    const { region, clock, owner } = this.#options;
    this.#closing.abort();
    region.log.wake();
    await this.#running;
    await waitAtMost(clock, CLOSE_WITHIN_MS, this.#bringTheRest());
    await Promise.all([...this.#relays.values()].map(({ lease }) => region.leases.release(lease).catch(() => {})));
    await region.leases.leave(owner).catch(() => {});
    this.#relays.clear();
    this.#complaints.close();
  }

  /** Of partitions that nobody has, too: this may be the last relay of the region for a while. */
  async #bringTheRest(): Promise<void> {
    await Promise.all(this.#busy.values());
    try {
      await this.#acquire(Array.from({ length: this.#options.region.log.partitions }, (_, partition) => partition));
      await Promise.all(Array.from(this.#relays.values(), (relay) => this.#bringRestOf(relay)));
    } catch (error) {
      this.#complain(error);
    }
  }

  async #bringRestOf(relay: SummingPartition): Promise<void> {
    const { log } = this.#options.region;
    const { partition } = relay.lease;
    const before = relay.sent;
    for (let isMore = true; isMore; ) {
      if (relay.isUnderWay && !(await relay.send())) return;
      const found = (await log.read(new Map([[partition, relay.after]]), BATCH, 0)).get(partition) ?? [];
      this.#read += relay.add(found);
      if (!(await relay.send())) return;
      isMore = found.length > 0;
    }
    this.#sent += relay.sent - before;
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    while (!this.#closing.signal.aborted) {
      try {
        await this.#round();
      } catch (error) {
        this.#complain(error);
        await pause(clock, PAUSE_AFTER_FAILURE_MS, this.#closing.signal);
      }
    }
  }

  async #round(): Promise<void> {
    const { region, clock, leaseMs = LEASE_MS } = this.#options;
    if (clock.monotonic() - this.#renewedAtMs >= leaseMs / 3) await this.#lease(leaseMs);
    const free = new Map<number, Position>();
    for (const [partition, relay] of this.#relays) {
      if (this.#busy.has(partition)) continue;
      if (relay.isUnderWay) this.#send(relay);
      else free.set(partition, relay.after);
    }
    if (free.size === 0) {
      await pause(clock, WAIT_MS, this.#closing.signal);
      return;
    }
    // A read that finds something ends at once, and the next one would find little: what comes is read in turns.
    const turn = pause(clock, WAIT_MS, this.#closing.signal);
    const found = await region.log.read(free, BATCH, WAIT_MS);
    // What was read between two looks at the same name is of the log of that name.
    if (await this.#isMadeAnew()) return;
    for (const partition of free.keys()) {
      const relay = this.#relays.get(partition);
      if (relay === undefined) continue;
      const entries = found.get(partition) ?? [];
      this.#read += relay.add(entries);
      if (this.#isDue(relay)) this.#send(relay);
      // Auctions of this process have their turns between two partitions.
      if (entries.length > 0) await pause(clock, 0);
    }
    await turn;
  }

  #isDue({ sinceMs, size }: SummingPartition): boolean {
    const { clock, isDue } = this.#options;
    return sinceMs !== null && isDue({ size, heldMs: clock.monotonic() - sinceMs, nowMs: clock.now() });
  }

  #send(relay: SummingPartition): void {
    const { clock } = this.#options;
    const { partition } = relay.lease;
    const before = relay.sent;
    const sending = relay
      .send()
      .then(
        (holds) => {
          this.#failingSinceMs.delete(relay);
          if (!holds) this.#forget(relay);
        },
        (error) => {
          if (!this.#failingSinceMs.has(relay)) this.#failingSinceMs.set(relay, clock.monotonic());
          this.#complain(error);
          return pause(clock, PAUSE_AFTER_FAILURE_MS, this.#closing.signal);
        },
      )
      .finally(() => {
        this.#sent += relay.sent - before;
        this.#busy.delete(partition);
      });
    this.#busy.set(partition, sending);
  }

  /** Every relay of the region computes the same owner of each partition; leases put that into effect. */
  async #lease(leaseMs: number): Promise<void> {
    const { region, owner, clock } = this.#options;
    const atMs = clock.monotonic();
    await this.#isMadeAnew();
    const members = await region.leases.heartbeat(owner, leaseMs, FIT);
    this.#desired = desiredPartitions(owner, region.log.partitions, members);
    for (const [partition, relay] of this.#relays) {
      if (this.#desired.has(partition) || this.#busy.has(partition)) continue;
      this.#forget(relay);
      await region.leases.release(relay.lease);
    }
    const held = [...this.#relays.values()];
    const kept =
      held.length === 0
        ? []
        : await region.leases.renew(
            held.map(({ lease }) => lease),
            leaseMs,
          );
    const renewed = new Set(kept.map(({ partition }) => partition));
    for (const relay of held) if (!renewed.has(relay.lease.partition)) this.#forget(relay);
    await this.#acquire([...this.#desired]);
    this.#renewedAtMs = atMs;
  }

  /** Acquires those of the partitions that nobody has. */
  async #acquire(partitions: readonly number[]): Promise<void> {
    const { region, owner, leaseMs = LEASE_MS } = this.#options;
    const wanted = partitions.filter((partition) => !this.#relays.has(partition) && !this.#busy.has(partition));
    if (wanted.length === 0) return;
    const acquired = await region.leases.acquire(wanted, owner, leaseMs);
    await Promise.all(acquired.map((one) => this.#begin(one)));
  }

  /** Whether the log is another one than before. The leases went with the lost one, and epochs begin anew. */
  async #isMadeAnew(): Promise<boolean> {
    const { region, regionName } = this.#options;
    const source = sourceName(regionName, await region.relayed.identity());
    if (source === this.#source) return false;
    this.#source = source;
    this.#relays.clear();
    this.#failingSinceMs.clear();
    this.#renewedAtMs = Number.NEGATIVE_INFINITY;
    return true;
  }

  #forget(relay: SummingPartition): void {
    this.#failingSinceMs.delete(relay);
    const { partition } = relay.lease;
    if (this.#relays.get(partition) === relay) this.#relays.delete(partition);
  }

  async #begin(acquired: AcquiredPartition): Promise<void> {
    const { region, home, newSum, clock } = this.#options;
    const { partition } = acquired.lease;
    try {
      const sender = `${this.#source}/${partition}`;
      const relay = new SummingPartition({ region, home, sender, newSum, clock }, acquired);
      if (await relay.begin()) this.#relays.set(partition, relay);
    } catch (error) {
      this.#complain(error);
      await region.leases.release(acquired.lease).catch(() => {});
    }
  }

  #complain(err: unknown): void {
    this.#complaints.warn({ err }, 'counts of the region cannot be brought home: trying again');
  }
}
