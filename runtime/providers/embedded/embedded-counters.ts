import { setImmediate } from 'node:timers/promises';
import { BroadcastTable } from '../../expiring/broadcast-table.ts';
import { type Mark, MarkTable } from '../../expiring/mark-table.ts';
import { assertWholeAmounts, SumTable } from '../../expiring/sum-table.ts';
import { TextTable } from '../../expiring/text-table.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Counters } from '../../ports/counters.ts';
import { CountersUnavailable } from '../../ports/errors.ts';
import type { ExpiringMarks, MarkKey } from '../../ports/expiring-marks.ts';
import type { ExpiringSums, SumChange } from '../../ports/expiring-sums.ts';
import type { CommitGroup } from './commit-group.ts';
import type { Environment } from './environment.ts';
import { safeKey } from './safe-key.ts';

/** A mark on disk: group, key, mark, its end. */
type KeptMark = [group: string, key: string, mark: string, untilMs: number];
/** A sum on disk: key, amount, when it is forgotten. */
type KeptSum = [key: string, amount: number, expiresAtMs: number];

const SWEEP_EVERY_MS = 60_000;
/** The number of records that one commit group removes: few enough not to delay other writes. */
const SWEEP_BATCH = 500;

/**
 * Marks and sums in memory, each change of which is put to disk: reads return what this process wrote, and a restart
 * finds what was acknowledged. A write that the disk refused may stay in memory: until the restart it counts too much,
 * never too little.
 */
export class EmbeddedCounters implements Counters {
  readonly marks: ExpiringMarks;
  readonly sums: ExpiringSums;
  /** In memory alone: a restart loses them. */
  readonly texts: TextTable;
  /** One process has the folder, so it is alone to read them. */
  readonly broadcasts = new BroadcastTable();
  readonly #environment: Environment;
  readonly #group: CommitGroup;
  readonly #clock: Clock;
  readonly #marks = new MarkTable();
  readonly #sums = new SumTable();
  #cancelSweep: () => void = () => {};

  constructor(environment: Environment, group: CommitGroup, clock: Clock) {
    this.#environment = environment;
    this.#group = group;
    this.#clock = clock;
    this.texts = new TextTable(clock);
    for (const { value } of environment.expiringMarks.getRange()) {
      const [key, name, mark, untilMs] = JSON.parse(value) as KeptMark;
      this.#marks.put({ group: key, key: name }, mark, untilMs);
    }
    for (const { value } of environment.expiringSums.getRange()) {
      const [key, amount, expiresAtMs] = JSON.parse(value) as KeptSum;
      this.#sums.restore(key, { amount, expiresAtMs });
    }
    this.marks = {
      put: (at, mark, untilMs) => this.#write(() => this.#mark(at, mark, untilMs)),
      putWithin: (at, mark, untilMs, limit, nowMs) =>
        this.#write(() => {
          const room = this.#marks.hasRoom(at, mark, limit, nowMs);
          if (room) this.#mark(at, mark, untilMs);
          return room;
        }),
      remove: (at, mark) =>
        this.#write(() => {
          this.#marks.remove({ at, mark });
          environment.expiringMarks.remove(markRecord({ at, mark }));
        }),
      count: async (of, keys, nowMs) => {
        this.#assertOpen();
        return keys.map((key) => this.#marks.count({ group: of, key }, nowMs));
      },
    };
    this.sums = {
      add: async (changes) => {
        assertWholeAmounts(changes);
        const written = this.#write(() => {
          for (const change of changes) this.#sum(change);
        });
        const added = await written.then(
          () => true,
          () => false,
        );
        return changes.map(() => added);
      },
      read: async (keys) => {
        return keys.map((key) => (group.refusal ? null : this.#sums.read(key, clock.now())));
      },
    };
    this.#scheduleSweep();
  }

  /** Removes expired marks and sums from memory and then from disk. Resolves with the number of removed records. */
  async sweep(): Promise<number> {
    const nowMs = this.#clock.now();
    const { expiringMarks, expiringSums } = this.#environment;
    const sums = this.#sums.sweep(nowMs);
    let marks = 0;
    // Records that were written again since then are in memory and must stay on disk.
    for (const ended of this.#marks.sweep(nowMs)) {
      marks += ended.length;
      await this.#inBatches(ended, (mark) => {
        if (!this.#marks.has(mark)) expiringMarks.remove(markRecord(mark));
      });
      await setImmediate();
    }
    await this.#inBatches(sums, (key) => {
      if (!this.#sums.has(key)) expiringSums.remove(safeKey(key));
    });
    return marks + sums.length;
  }

  async close(): Promise<void> {
    this.#cancelSweep();
    this.texts.close();
    this.broadcasts.close();
  }

  #mark(at: MarkKey, mark: string, untilMs: number): void {
    const kept: KeptMark = [at.group, at.key, mark, this.#marks.put(at, mark, untilMs)];
    this.#environment.expiringMarks.put(markRecord({ at, mark }), JSON.stringify(kept));
  }

  #sum(change: SumChange): void {
    const { amount, expiresAtMs } = this.#sums.add(change, this.#clock.now());
    const kept: KeptSum = [change.key, amount, expiresAtMs];
    this.#environment.expiringSums.put(safeKey(change.key), JSON.stringify(kept));
  }

  #write<T>(apply: () => T): Promise<T> {
    return this.#group.write(apply, CountersUnavailable);
  }

  #assertOpen(): void {
    if (this.#group.refusal) throw new CountersUnavailable(this.#group.refusal.message);
  }

  async #inBatches<T>(records: readonly T[], remove: (record: T) => void): Promise<void> {
    for (let from = 0; from < records.length; from += SWEEP_BATCH) {
      await this.#write(() => records.slice(from, from + SWEEP_BATCH).forEach(remove));
    }
  }

  #scheduleSweep(): void {
    this.#cancelSweep = this.#clock.after(SWEEP_EVERY_MS, () => {
      // A failing disk was reported to the writers; the next round tries again.
      this.sweep().catch(() => {});
      this.#scheduleSweep();
    });
  }
}

/** The key of a mark's record. */
function markRecord({ at: { group, key }, mark }: Mark): string {
  return safeKey(JSON.stringify([group, key, mark]));
}
