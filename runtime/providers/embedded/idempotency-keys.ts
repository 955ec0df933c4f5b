import type { Clock } from '../../ports/clock.ts';
import { LogUnavailable } from '../../ports/errors.ts';
import type { IdempotencyKey, IdempotentEntry, IdempotentMark, MarkOutcome } from '../../ports/log.ts';
import type { CommitGroup, Participant } from './commit-group.ts';
import type { Environment } from './environment.ts';
import { safeKey } from './safe-key.ts';

const HOUR_MS = 3_600_000;
/**
 * The record of an hour is rewritten only when its end has moved by this much: ids are then kept that much longer, ms.
 */
const COARSE_MS = 600_000;
const PURGE_EVERY_MS = 60_000;
/** The number of ids that one commit group forgets: few enough not to delay other writes. */
const PURGE_BATCH = 500;

/** The stored value of an id whose final entry was appended, and of a mark. */
export const FINAL = '1';
/** The prefix of the note of an id with only a provisional entry. */
const PROVISIONAL = '?';

/** The ids of idempotent entries, by the hour in which they were issued; they are forgotten hour by hour. */
export class IdempotencyKeys implements Participant {
  readonly #environment: Environment;
  readonly #group: CommitGroup;
  readonly #clock: Clock;
  /** The ids that this group stored and the database does not show yet. */
  readonly #staged = new Map<string, string>();
  /** Hour → the time when it is forgotten, ms since the epoch. */
  #forgetAtMs = new Map<number, number>();
  #cancelPurge: () => void = () => {};

  constructor(environment: Environment, group: CommitGroup, clock: Clock) {
    this.#environment = environment;
    this.#group = group;
    this.#clock = clock;
    this.#load();
    group.join(this);
    this.#schedulePurge();
  }

  /**
   * In a commit group: remembers an id, for `longerMs` more than an hour after its expiry. Returns `repeated`, or the
   * note of the provisional entry before a final one, or null.
   */
  remember(
    partition: number,
    { id, bucketMs, expiresAtMs, provisional }: IdempotentEntry,
    longerMs = 0,
  ): 'repeated' | { readonly note: string } | null {
    const kept = this.#kept(partition, { id, bucketMs });
    if (kept !== undefined && (provisional !== undefined || !kept.startsWith(PROVISIONAL))) return 'repeated';
    this.#put(partition, { id, bucketMs }, provisional === undefined ? FINAL : `${PROVISIONAL}${provisional}`);
    this.#keepUntil(Math.floor(bucketMs / HOUR_MS), expiresAtMs + HOUR_MS + longerMs);
    return kept === undefined ? null : { note: kept.slice(PROVISIONAL.length) };
  }

  /** In a commit group: stores a mark among the ids as `<id> <mark>`; ids contain no spaces. */
  mark(partition: number, { id, bucketMs, mark }: IdempotentMark): MarkOutcome {
    if (!this.has(partition, { id, bucketMs })) return 'unknown';
    const marked = { id: `${id} ${mark}`, bucketMs };
    if (this.has(partition, marked)) return 'repeated';
    this.#put(partition, marked, FINAL);
    return 'marked';
  }

  /** In a commit group: whether the final entry of the key was appended. */
  has(partition: number, name: IdempotencyKey): boolean {
    return this.#kept(partition, name)?.startsWith(FINAL) ?? false;
  }

  durable(): void {
    this.#staged.clear();
  }

  lost(): void {
    this.#staged.clear();
    this.#load();
  }

  /** Forgets ids whose hour is over. Resolves with the number of ids found. */
  async purge(): Promise<number> {
    const nowMs = this.#clock.now();
    let forgotten = 0;
    for (const [hour, forgetAtMs] of this.#forgetAtMs) {
      if (forgetAtMs > nowMs) continue;
      for (;;) {
        const count = await this.#group.write(() => this.#forgetSome(hour, nowMs), LogUnavailable);
        forgotten += count;
        if (count < PURGE_BATCH) break;
      }
    }
    return forgotten;
  }

  close(): void {
    this.#cancelPurge();
  }

  #kept(partition: number, { id, bucketMs }: IdempotencyKey): string | undefined {
    const hour = Math.floor(bucketMs / HOUR_MS);
    return this.#staged.get(`${hour}/${partition}/${id}`) ?? this.#environment.once.get([hour, partition, safeKey(id)]);
  }

  #put(partition: number, { id, bucketMs }: IdempotencyKey, kept: string): void {
    const hour = Math.floor(bucketMs / HOUR_MS);
    this.#environment.once.put([hour, partition, safeKey(id)], kept);
    this.#staged.set(`${hour}/${partition}/${id}`, kept);
  }

  #forgetSome(hour: number, nowMs: number): number {
    // An id that was added since, perhaps in this very group, keeps the hour.
    if ((this.#forgetAtMs.get(hour) ?? 0) > nowMs) return 0;
    const { once, onceHours } = this.#environment;
    const keys = [...once.getKeys({ start: [hour, -1, ''], end: [hour + 1, -1, ''], limit: PURGE_BATCH })];
    for (const key of keys) once.remove(key);
    if (keys.length < PURGE_BATCH) {
      onceHours.remove(hour);
      this.#forgetAtMs.delete(hour);
    }
    return keys.length;
  }

  #keepUntil(hour: number, forgetAtMs: number): void {
    if (forgetAtMs <= (this.#forgetAtMs.get(hour) ?? 0)) return;
    const rounded = Math.ceil(forgetAtMs / COARSE_MS) * COARSE_MS;
    this.#forgetAtMs.set(hour, rounded);
    this.#environment.onceHours.put(hour, String(rounded));
  }

  #load(): void {
    this.#forgetAtMs = new Map();
    for (const { key, value } of this.#environment.onceHours.getRange()) this.#forgetAtMs.set(key, Number(value));
  }

  #schedulePurge(): void {
    this.#cancelPurge = this.#clock.after(PURGE_EVERY_MS, () => {
      // A failing disk was reported to the writers; the next round tries again.
      this.purge().catch(() => {});
      this.#schedulePurge();
    });
  }
}
