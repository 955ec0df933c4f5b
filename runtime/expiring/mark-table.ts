import type { MarkKey } from '../ports/expiring-marks.ts';

export interface Mark {
  readonly at: MarkKey;
  readonly mark: string;
}

interface Place {
  readonly at: MarkKey;
  /** Mark → its end. */
  readonly ends: Map<string, number>;
}

/** Marks in memory. Ended ones are taken out by {@link sweep}; until then they do not count. */
export class MarkTable {
  readonly #places = new Map<string, Place>();

  /** When the mark now ends: at `untilMs`, or later. */
  put(at: MarkKey, mark: string, untilMs: number): number {
    const name = nameOf(at);
    let place = this.#places.get(name);
    if (place === undefined) {
      place = { at, ends: new Map() };
      this.#places.set(name, place);
    }
    const end = Math.max(untilMs, place.ends.get(mark) ?? 0);
    place.ends.set(mark, end);
    return end;
  }

  /** Whether `mark` may be set and no more than `limit` would count. */
  hasRoom(at: MarkKey, mark: string, limit: number, nowMs: number): boolean {
    const set = (this.#places.get(nameOf(at))?.ends.get(mark) ?? 0) > nowMs;
    return this.count(at, nowMs) + (set ? 0 : 1) <= limit;
  }

  count(at: MarkKey, nowMs: number): number {
    let count = 0;
    for (const end of this.#places.get(nameOf(at))?.ends.values() ?? []) if (end > nowMs) count += 1;
    return count;
  }

  has({ at, mark }: Mark): boolean {
    return this.#places.get(nameOf(at))?.ends.has(mark) ?? false;
  }

  /** Takes out, and answers, the marks that have ended. */
  sweep(nowMs: number): Mark[] {
    const ended: Mark[] = [];
    for (const [name, { at, ends }] of this.#places) {
      for (const [mark, end] of ends) {
        if (end > nowMs) continue;
        ends.delete(mark);
        ended.push({ at, mark });
      }
      if (ends.size === 0) this.#places.delete(name);
    }
    return ended;
  }
}

/** One to one, whatever characters group and key have. */
function nameOf({ group, key }: MarkKey): string {
  return `${group.length}:${group}${key}`;
}
