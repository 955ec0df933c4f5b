import type { MarkKey } from '../ports/expiring-marks.ts';

export interface Mark {
  readonly at: MarkKey;
  readonly mark: string;
}

interface KeptMark {
  readonly key: string;
  readonly mark: string;
  endMs: number;
}

/** The number of groups that one slice of a sweep covers, which takes a few milliseconds. */
const SWEPT_AT_ONCE = 10_000;

/**
 * Marks in memory, for groups that have few each. {@link sweep} removes ended marks; until then they are not counted. A
 * group with one mark takes about 300 bytes.
 */
export class MarkTable {
  readonly #groups = new Map<string, KeptMark[]>();

  /** Sets a mark and returns the time when it ends: `untilMs`, or the end that it already has if that is later. */
  put(at: MarkKey, mark: string, untilMs: number): number {
    const known = this.#find({ at, mark });
    if (known !== undefined) {
      known.endMs = Math.max(untilMs, known.endMs);
      return known.endMs;
    }
    const kept = { key: at.key, mark, endMs: untilMs };
    const others = this.#groups.get(at.group);
    if (others) others.push(kept);
    else this.#groups.set(at.group, [kept]);
    return untilMs;
  }

  remove(mark: Mark): void {
    const { group } = mark.at;
    const known = this.#find(mark);
    if (known === undefined) return;
    const marks = this.#groups.get(group)!;
    if (marks.length === 1) this.#groups.delete(group);
    else marks.splice(marks.indexOf(known), 1);
  }

  /** Whether at most `limit` marks would count if `mark` were set. */
  hasRoom(at: MarkKey, mark: string, limit: number, nowMs: number): boolean {
    const set = (this.#find({ at, mark })?.endMs ?? 0) > nowMs;
    return this.count(at, nowMs) + (set ? 0 : 1) <= limit;
  }

  count({ group, key }: MarkKey, nowMs: number): number {
    let count = 0;
    for (const kept of this.#groups.get(group) ?? []) if (kept.key === key && kept.endMs > nowMs) count += 1;
    return count;
  }

  has(mark: Mark): boolean {
    return this.#find(mark) !== undefined;
  }

  /** Removes the marks that have ended and yields them in slices, because there may be millions. */
  *sweep(nowMs: number): Generator<Mark[], void> {
    let ended: Mark[] = [];
    let looked = 0;
    for (const [group, marks] of this.#groups) {
      if (marks.some(({ endMs }) => endMs <= nowMs)) {
        for (const { key, mark, endMs } of marks) if (endMs <= nowMs) ended.push({ at: { group, key }, mark });
        const left = marks.filter(({ endMs }) => endMs > nowMs);
        if (left.length === 0) this.#groups.delete(group);
        else this.#groups.set(group, left);
      }
      looked += 1;
      if (looked % SWEPT_AT_ONCE !== 0) continue;
      yield ended;
      ended = [];
    }
    yield ended;
  }

  #find({ at: { group, key }, mark }: Mark): KeptMark | undefined {
    return this.#groups.get(group)?.find((kept) => kept.mark === mark && kept.key === key);
  }
}
