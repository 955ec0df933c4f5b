import { addDelta, type FactDelta } from './counted.ts';
import { countByAge, updatesDue } from './flush-policy.ts';

/** Counts of at most this many minutes wait apart for one ledger; older ones join the oldest of these. */
const MINUTES_APART = 2;
/**
 * Counts that could not be sent for this many ms are dropped: the documents of an hour take counts for 5 minutes after
 * its end (scheduler/jobs/file-ledger-hours.ts).
 */
export const KEPT_UNSENT_MS = 120_000;

/** Counts that wait for their flush to one ledger. */
export interface WaitingUpdate {
  /** The name of its counters: `<scope>:<id>`. */
  readonly key: string;
  /** The key of the sandbox generation that applies, as `<scope>:<id>`; for a campaign it is that of its DSP. */
  readonly generationKey: string;
  /** When the oldest of the counts were taken, ms since the epoch. */
  readonly sinceMs: number;
  /** The counts by the minute in which they were taken, ms since the epoch; oldest first. */
  readonly minutes: Map<number, FactDelta>;
}

/** Updates that wait to be sent, oldest first. The number of them is that of the sources with counts. */
export class WaitingUpdates<U extends WaitingUpdate> {
  /** Updates that could not be sent, which are older than all others. */
  readonly #returned = new Map<string, U>();
  readonly #updates = new Map<string, U>();
  #dropped = 0;

  /** Number of updates that were dropped, because they could not be sent for {@link KEPT_UNSENT_MS}. */
  get dropped(): number {
    return this.#dropped;
  }

  get size(): number {
    return this.#returned.size + this.#updates.size;
  }

  /** Adds counts that were just taken. */
  add(update: U): void {
    const waiting = this.#returned.get(update.key) ?? this.#updates.get(update.key);
    if (waiting) join(waiting.minutes, update.minutes);
    else this.#updates.set(update.key, update);
  }

  /** Puts back an update that was certainly not sent. */
  putBack(update: U): void {
    for (const from of [this.#updates, this.#returned]) {
      const newer = from.get(update.key);
      if (!newer) continue;
      join(update.minutes, newer.minutes);
      from.delete(update.key);
    }
    this.#returned.set(update.key, update);
  }

  /**
   * Takes the oldest updates: `most`, or more where they would wait longer than `withinS` seconds otherwise. What could
   * not be sent before is due at once.
   */
  take(most: number, withinS: number, nowMs: number): U[] {
    const waiting = countByAge(
      [...this.#updates.values()].map(({ sinceMs }) => sinceMs),
      nowMs,
      withinS,
    );
    let left = Math.max(most - this.#returned.size, updatesDue(waiting, withinS));
    const taken = [...this.#returned.values()];
    this.#returned.clear();
    for (const [key, update] of this.#updates) {
      if (--left < 0) break;
      this.#updates.delete(key);
      taken.push(update);
    }
    return taken;
  }

  /** Takes the updates for which `isDue` holds, and what could not be sent before. */
  takeWhere(isDue: (update: U) => boolean): U[] {
    const taken = [...this.#returned.values()];
    this.#returned.clear();
    for (const [key, update] of this.#updates) {
      if (!isDue(update)) continue;
      this.#updates.delete(key);
      taken.push(update);
    }
    return taken;
  }

  /** Takes the oldest update alone; undefined when there is none. */
  takeOldest(): U | undefined {
    for (const from of [this.#returned, this.#updates]) {
      for (const [key, update] of from) {
        from.delete(key);
        return update;
      }
    }
    return undefined;
  }

  /** Drops the updates of one sandbox generation, which was flushed: nobody lacks them. */
  forget(generationKey: string): void {
    for (const from of [this.#returned, this.#updates])
      for (const [key, update] of from) if (update.generationKey === generationKey) from.delete(key);
  }

  /** Drops what has waited too long. */
  dropOld(nowMs: number): void {
    for (const from of [this.#returned, this.#updates]) {
      for (const [key, { sinceMs }] of from) {
        if (nowMs - sinceMs <= KEPT_UNSENT_MS) continue;
        from.delete(key);
        this.#dropped += 1;
      }
    }
  }
}

/** Adds the counts of `more` to those of the same minutes; of too many minutes, the oldest become one. */
function join(minutes: Map<number, FactDelta>, more: ReadonlyMap<number, FactDelta>): void {
  for (const [minuteMs, counted] of more) {
    const same = minutes.get(minuteMs);
    if (same) addDelta(same, counted);
    else minutes.set(minuteMs, counted);
  }
  while (minutes.size > MINUTES_APART) {
    const [oldest, next] = [...minutes.keys()].sort((a, b) => a - b) as [number, number];
    addDelta(minutes.get(next)!, minutes.get(oldest)!);
    minutes.delete(oldest);
  }
}
