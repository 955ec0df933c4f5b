import { comparePositions, type Position } from '../ports/position.ts';

/**
 * What is remembered of the ids of one hour of issue until it is all forgotten, each with the position of its entry.
 */
class Memory<T extends { readonly position: Position }> {
  readonly kept = new Map<string, T>();
  forgetAtMs = 0;

  get(id: string, nowMs: number): T | undefined {
    if (this.forgetAtMs <= nowMs) this.kept.clear();
    return this.kept.get(id);
  }

  set(id: string, one: T, forgetAtMs: number): void {
    this.kept.set(id, one);
    this.keepUntil(forgetAtMs);
  }

  keepUntil(forgetAtMs: number): void {
    this.forgetAtMs = Math.max(this.forgetAtMs, forgetAtMs);
  }

  forgetAfter(last: Position): void {
    for (const [id, { position }] of this.kept) if (comparePositions(position, last) > 0) this.kept.delete(id);
  }

  copy(): Memory<T> {
    const copied = new Memory<T>();
    for (const [id, one] of this.kept) copied.kept.set(id, one);
    copied.forgetAtMs = this.forgetAtMs;
    return copied;
  }
}

interface Remembered {
  readonly position: Position;
}

interface RememberedNote extends Remembered {
  readonly note: string;
}

/** The remembered ids of one hour of issue. A mark has the last position from when it was set. */
export class SeenIds {
  readonly ids: Memory<Remembered>;
  /** The notes of provisional entries. */
  readonly notes: Memory<RememberedNote>;
  /** Ids that came from elsewhere than where they were sold. */
  readonly foreign: Memory<Remembered>;

  constructor(
    ids: Memory<Remembered> = new Memory(),
    notes: Memory<RememberedNote> = new Memory(),
    foreign: Memory<Remembered> = new Memory(),
  ) {
    this.ids = ids;
    this.notes = notes;
    this.foreign = foreign;
  }

  get memories(): readonly Pick<Memory<Remembered>, 'forgetAtMs' | 'forgetAfter'>[] {
    return [this.ids, this.notes, this.foreign];
  }

  copy(): SeenIds {
    return new SeenIds(this.ids.copy(), this.notes.copy(), this.foreign.copy());
  }
}
