import type { Logger } from '../actor/logger.ts';
import type { Clock } from '../ports/clock.ts';
import type { AcquiredPartition, Lease } from '../ports/leases.ts';
import type { LogEntry } from '../ports/log.ts';
import type { LogProvider } from '../ports/log-provider.ts';
import { comparePositions, type Position, positionTimeMs, START } from '../ports/position.ts';
import type { RelayedAppends, RelayedEntry } from '../ports/relayed.ts';
import { identityOf } from './source-name.ts';

interface PartitionRelayDeps {
  readonly region: Pick<LogProvider, 'log' | 'leases' | 'relayed'>;
  readonly home: RelayedAppends;
  readonly source: string;
  readonly decode: (entry: LogEntry) => RelayedEntry;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly retainMs: number;
}

/** Home is told each second to when an idle region is drained, ms. */
const TELL_EVERY_MS = 1_000;
const TRIM_EVERY_MS = 1_000;

/** Shares of the time for which the region keeps what is at home: so exactly is it known since when something is. */
const CHECKPOINTS = 15;

/** What home had acknowledged at an instant of the region's clock. */
interface Checkpoint {
  readonly position: Position;
  readonly atMs: number;
}

/** The relay of one partition, under one lease. */
export class PartitionRelay {
  readonly lease: Lease;
  readonly #deps: PartitionRelayDeps;
  readonly #acquired: AcquiredPartition;
  #after: Position = START;
  #homeIdentity = '';
  /** The number of entries that the region had ever appended up to `#after`. */
  #appendedAtAfter = 0;
  #appended = 0;
  #drainedAtMs: number;
  #toldAtMs = Number.NEGATIVE_INFINITY;
  #trimmedAtMs = Number.NEGATIVE_INFINITY;
  #trimmed: Position;
  /** Oldest first. The first outlives this relay in the note of the lease. */
  #checkpoints: Checkpoint[] = [];

  constructor(deps: PartitionRelayDeps, acquired: AcquiredPartition) {
    this.#deps = deps;
    this.lease = acquired.lease;
    this.#acquired = acquired;
    this.#trimmed = acquired.cursor;
    this.#drainedAtMs = deps.clock.monotonic();
  }

  /** Home has everything up to here. */
  get after(): Position {
    return this.#after;
  }

  /** Whether home is to be told that there is nothing new. */
  get isDue(): boolean {
    return this.#deps.clock.monotonic() - this.#toldAtMs >= TELL_EVERY_MS;
  }

  get backlogEntries(): number {
    return Math.max(0, this.#appended - this.#appendedAtAfter);
  }

  get behindMs(): number {
    return this.#deps.clock.monotonic() - this.#drainedAtMs;
  }

  /** Registers the source at home and learns what home has of it. */
  async begin(): Promise<void> {
    const { region, home, source, logger } = this.#deps;
    const { partition } = this.lease;
    this.#homeIdentity = await home.identity();
    const [notedHome, noted, checked, checkedAtMs] = this.#acquired.note.split(' ');
    const tail = await region.log.tail(partition);
    if (noted !== undefined && notedHome !== this.#homeIdentity) {
      // The books have what the lost home had acknowledged, or it was lost with that: either way it may not go twice.
      logger.error({ source, partition, position: noted }, 'the log at home was made anew: the region goes on behind');
      if (!(await region.leases.commit(this.lease, noted)))
        throw new Error(`the lease of partition ${partition} is lost`);
      this.#trimmed = noted;
    }
    const position = await home.appendRelayed(partition, source, { after: START, entries: [], throughMs: 0 });
    this.#after = position;
    const isKnown =
      notedHome === this.#homeIdentity && checked !== undefined && comparePositions(checked, position) <= 0;
    if (isKnown) this.#checkpoints.push({ position: checked, atMs: Number(checkedAtMs) });
    if (position !== START && comparePositions(this.#trimmed, position) > 0) {
      logger.error({ source, partition, position, kept: this.#trimmed }, 'home has lost what the region keeps no more');
    }
    if (comparePositions(position, tail.last) > 0) {
      logger.error({ source, partition, position, last: tail.last }, "the region's log has lost entries that home has");
      await region.leases.raise(this.lease, position);
    }
    this.#appended = tail.appended;
    this.#appendedAtAfter = tail.appended - tail.length;
  }

  /**
   * Brings entries home that follow `after`, or tells that there are none. Resolves with whether the lease still holds.
   * Rejects when home or the region cannot be reached: the same is to be sent again. So it does when the region's log
   * was made anew: home must not hear that the lost one is drained.
   */
  async send(entries: readonly LogEntry[]): Promise<boolean> {
    const { region, home, source, clock, logger, decode } = this.#deps;
    const { partition } = this.lease;
    const beganAtMs = clock.monotonic();
    const tail = await region.log.tail(partition);
    if (tail.appended < this.#appended && (await region.relayed.identity()) !== identityOf(source))
      throw new Error("the region's log was made anew");
    this.#appended = tail.appended;
    const last = entries.at(-1)?.position ?? this.#after;
    const isDrained = comparePositions(tail.last, last) <= 0;
    // What was appended behind the last entry read has its time or a later one.
    const throughMs = isDrained ? tail.nowMs : positionTimeMs(last);
    const after = this.#after;
    const position = await home.appendRelayed(partition, source, { after, entries: entries.map(decode), throughMs });
    if (comparePositions(position, after) < 0) {
      if ((await home.identity()) !== this.#homeIdentity) {
        // What is noted once a second may be less than the home that is lost had acknowledged.
        await region.leases.note(this.lease, `${this.#homeIdentity} ${after}`);
        return false;
      }
      logger.warn({ source, partition, position, after }, 'home has lost entries: they are sent again');
      this.#appendedAtAfter = tail.appended - tail.length;
      this.#after = position;
      this.#checkpoints = this.#checkpoints.filter((one) => comparePositions(one.position, position) <= 0);
      return true;
    }
    this.#after = position;
    this.#appendedAtAfter = isDrained ? tail.appended : this.#appendedAtAfter + entries.length;
    this.#toldAtMs = beganAtMs;
    if (isDrained) this.#drainedAtMs = beganAtMs;
    return this.#trim(tail.nowMs);
  }

  /**
   * What was acknowledged long enough ago is trimmed: home may lose what it has acknowledged just now, however old that
   * is.
   */
  async #trim(nowMs: number): Promise<boolean> {
    const { region, clock, retainMs } = this.#deps;
    if (clock.monotonic() - this.#trimmedAtMs < TRIM_EVERY_MS || this.#after === START) return true;
    this.#trimmedAtMs = clock.monotonic();
    const last = this.#checkpoints.at(-1);
    if (last === undefined || nowMs - last.atMs >= retainMs / CHECKPOINTS) {
      this.#checkpoints.push({ position: this.#after, atMs: nowMs });
    }
    const isOld = ({ atMs }: Checkpoint) => nowMs - atMs >= retainMs;
    const cursor = this.#checkpoints.findLast(isOld)?.position ?? START;
    const firstKept = Math.max(0, this.#checkpoints.findLastIndex(isOld));
    this.#checkpoints = this.#checkpoints.slice(firstKept);
    const { position, atMs } = this.#checkpoints[0]!;
    const note = `${this.#homeIdentity} ${this.#after} ${position} ${atMs}`;
    if (!(await region.leases.note(this.lease, note))) return false;
    if (comparePositions(cursor, this.#trimmed) <= 0) return true;
    this.#trimmed = cursor;
    return region.leases.commit(this.lease, cursor);
  }
}
