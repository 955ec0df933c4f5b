import type { Impression, InvalidImpression } from '#actors/impression-rollup/messages';
import { decodeEnvelope } from '#runtime/node/envelope';
import type { LogEntry } from '#runtime/ports/log';
import { comparePositions, type Position, positionTimeMs } from '#runtime/ports/position';
import type { Violations } from '#runtime/simulator/auditor/violations';
import type { LogObserver } from '#runtime/simulator/log-observer';
import { type Billable, BookedEntries, type Invalid } from './booked-entries.ts';
import { IngestedEntries } from './ingested-entries.ts';

/**
 * The model: count × price of what was truly appended, kept beside the log server and by nothing else. Nothing of the
 * exchange's own sums is in it.
 */
export class MoneyModel implements LogObserver {
  /** Answered 200 as billed. */
  readonly answered = new Set<string>();
  /** Called with each batch that comes of another log. */
  onRelayed: NonNullable<LogObserver['relayed']> = () => {};
  /** Called with each impression that comes to the log, and whether it is one that was parked. */
  onBilled: (impression: Impression, replayed: boolean) => void = () => {};
  readonly #billable = new IngestedEntries<Billable>();
  readonly #invalid = new IngestedEntries<Invalid>();
  /** Where entries of regions stand, by partition and position: the number of the batch that each came with. */
  readonly #relayed = new Map<string, number>();
  #batches = 0;
  readonly #violations: Violations;

  constructor(violations: Violations) {
    this.#violations = violations;
  }

  /** By tracking id. */
  get billable(): ReadonlyMap<string, Billable> {
    return this.#billable.all;
  }

  /** By tracking id: those that a valid call has billed too. */
  get invalid(): ReadonlyMap<string, Invalid> {
    return this.#invalid.all;
  }

  /** The batch of a region with which an entry came; undefined of an entry that came another way. */
  batchOf(partition: number, position: Position): number | undefined {
    return this.#relayed.get(`${partition} ${position}`);
  }

  appended(partition: number, entries: readonly LogEntry[], source?: string): void {
    if (source !== undefined) this.#batches += 1;
    for (const { position, payload } of entries) {
      if (source !== undefined) this.#relayed.set(`${partition} ${position}`, this.#batches);
      const found = impressionIn(payload);
      if (found === null) continue;
      const { id } = found.body;
      const atMs = positionTimeMs(position);
      if (found.type === 'invalid') {
        const outcome = this.#invalid.add(id, { impression: found.body, atMs });
        if (outcome === 'twice') this.#violations.add('appended once', `${id} was appended as invalid twice`);
        // Of a history that takes the place of another, what both hold is told no second time, and what stands before
        // it is told after it.
        const billed = this.billable.get(id);
        if (outcome === 'new' && billed !== undefined && comparePositions(billed.position, position) < 0) {
          this.#violations.add('nothing billed is invalid', `${id} was appended as invalid when it had been billed`);
        }
        continue;
      }
      const outcome = this.#billable.add(id, { impression: found.body, position, atMs });
      if (outcome === 'twice') this.#violations.add('appended once', `${id} was appended twice`);
      const { reason } = this.invalid.get(id)?.impression ?? {};
      if (found.body.revalidates !== reason) {
        this.#violations.add('billed after invalid', `${id} says ${found.body.revalidates}, and was ${reason}`);
      }
      this.onBilled(found.body, outcome !== 'new');
    }
  }

  unsynced(partition: number, entries: readonly LogEntry[]): void {
    for (const { position, payload } of entries) {
      // The next entry may be given the position, and may come another way.
      this.#relayed.delete(`${partition} ${position}`);
      const found = impressionIn(payload);
      if (found !== null) this.#of(found.type).unsynced(found.body.id);
    }
  }

  /** It is in the dead letters, and billed or counted when it is replayed, at the time of that. */
  parked(payload: string): void {
    const found = impressionIn(payload);
    if (found !== null) this.#of(found.type).park(found.body.id);
  }

  get replayed(): number {
    return this.#billable.replayed + this.#invalid.replayed;
  }

  /** What came of a region, which sends it again. */
  lost(partition: number, entries: readonly LogEntry[]): void {
    this.unsynced(partition, entries);
  }

  relayed(...batch: Parameters<NonNullable<LogObserver['relayed']>>): void {
    this.onRelayed(...batch);
  }

  trimmed(): void {}
  published(): void {}
  movedByStaleOwner(): void {}

  /** What is in the books of `fromMs` ≤ t < `toMs`, by the log's time. */
  within(fromMs: number, toMs: number): BookedEntries {
    const isWithin = ({ atMs }: { readonly atMs: number }) => atMs >= fromMs && atMs < toMs;
    return new BookedEntries(
      [...this.#billable.inBooks()].filter(isWithin),
      [...this.#invalid.inBooks()].filter(isWithin),
    );
  }

  /** Ids taken in and in the books: each is billed or invalid, and counted by its first entry. */
  get idsInBooks(): number {
    const ids = new Set<string>();
    for (const one of this.#invalid.inBooks()) ids.add(one.impression.id);
    for (const { impression } of this.#billable.inBooks()) {
      if (impression.revalidates === undefined) ids.add(impression.id);
    }
    return ids.size;
  }

  #of(type: Found['type']): IngestedEntries<Billable> | IngestedEntries<Invalid> {
    return type === 'invalid' ? this.#invalid : this.#billable;
  }
}

type Found =
  | { readonly type: 'impression'; readonly body: Impression }
  | { readonly type: 'invalid'; readonly body: InvalidImpression };

function impressionIn(payload: string): Found | null {
  if (!payload.startsWith('["tally/')) return null;
  return decodeEnvelope(payload) as unknown as Found;
}
