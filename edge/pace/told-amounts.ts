import type { RenderDelay } from '../../exchange/pacing/render-delay.ts';
import { TOLD_RENDER_LEAVES, UNRENDERED_DECAY, weightAfter } from '../../exchange/pacing/unrendered-sales.ts';

/** Numbers of a cell: a line of the processor's cache. */
const CELL = 8;
const INITIAL_PLACES = 1_024;

/** Where a number stands in its cell. */
const SINCE_MS = 0;
const DAY = 1;
const LIKELY = 2;
const POSSIBLE = 3;
const SOLD = 4;
const BILLED = 5;

/**
 * The most times by which the weight of an open sale may fall to 1/e within a cell: beyond, numbers of such different
 * size lose digits.
 */
const MOST_DECAYS = 16;
/** The number of times, in ms, whose weights are remembered. */
const GAINS = 4_096;

/** What other edges have sold and billed of one account, in nano-dollars. */
export interface ToldAmount {
  /** The UTC day of what was billed, days since the epoch. */
  readonly day: number;
  readonly soldNanos: number;
  readonly billedNanos: number;
  /**
   * What is still open of it at {@link atMs}, with the weights of open sales; less than 0 where more was billed than
   * sold.
   */
  readonly likelyNanos: number;
  readonly possibleNanos: number;
  readonly atMs: number;
}

/**
 * Sums of what is told of accounts, by place, until an account is asked for: most of tens of thousands of changes a
 * second concern accounts that are not, and a change touches one line of memory in place of six. Weights of open sales
 * count from a cell's first change, and lose the time that has gone by when it is taken, so that it does not matter
 * when that is.
 */
export class ToldAmounts {
  readonly #delay: RenderDelay;
  readonly #gains: OpenWeightGains;
  #cells = new Float64Array(INITIAL_PLACES * CELL);

  constructor(delay: RenderDelay) {
    this.#delay = delay;
    this.#gains = new OpenWeightGains(delay);
  }

  /** False where the place holds amounts of another day, or of too long ago, which must be taken first. */
  add(place: number, day: number, soldNanos: number, billedNanos: number, nowMs: number): boolean {
    const at = place * CELL;
    if (at >= this.#cells.length) this.#grow(at);
    const cells = this.#cells;
    const sinceMs = cells[at + SINCE_MS]!;
    let [likely, possible] = [1, 1];
    if (sinceMs === 0) {
      cells[at + SINCE_MS] = nowMs;
      cells[at + DAY] = day;
    } else {
      if (cells[at + DAY] !== day) return false;
      if (nowMs !== sinceMs) {
        if (nowMs - sinceMs > MOST_DECAYS * UNRENDERED_DECAY.likely * this.#delay.meanMs) return false;
        const gain = this.#gains.placeOf(Math.max(0, nowMs - sinceMs));
        likely = this.#gains.likely[gain]!;
        possible = this.#gains.possible[gain]!;
      }
    }
    cells[at + LIKELY]! += likely * (soldNanos - billedNanos * TOLD_RENDER_LEAVES.likely);
    cells[at + POSSIBLE]! += possible * (soldNanos - billedNanos * TOLD_RENDER_LEAVES.possible);
    cells[at + SOLD]! += soldNanos;
    cells[at + BILLED]! += billedNanos;
    return true;
  }

  /** Takes what was told of a place; null where nothing was. */
  take(place: number, nowMs: number): ToldAmount | null {
    const at = place * CELL;
    const cells = this.#cells;
    if (at >= cells.length || cells[at + SINCE_MS] === 0) return null;
    const ageMs = nowMs - cells[at + SINCE_MS]!;
    const amount = {
      day: cells[at + DAY]!,
      soldNanos: cells[at + SOLD]!,
      billedNanos: cells[at + BILLED]!,
      likelyNanos: cells[at + LIKELY]! * weightAfter(ageMs, UNRENDERED_DECAY.likely, this.#delay),
      possibleNanos: cells[at + POSSIBLE]! * weightAfter(ageMs, UNRENDERED_DECAY.possible, this.#delay),
      atMs: nowMs,
    };
    cells.fill(0, at, at + CELL);
    return amount;
  }

  /** Moves what was told of `from` to `to`, which is less, and drops what `to` had. */
  move(from: number, to: number): void {
    this.drop(to);
    this.#cells.copyWithin(to * CELL, from * CELL, (from + 1) * CELL);
    this.drop(from);
  }

  drop(place: number): void {
    this.#cells.fill(0, place * CELL, (place + 1) * CELL);
  }

  #grow(at: number): void {
    const cells = new Float64Array(Math.max(2 * this.#cells.length, at + CELL));
    cells.set(this.#cells);
    this.#cells = cells;
  }
}

/**
 * By how much more than one in a cell's first change an amount counts that is told later. The cells that are told of in
 * one exchange began in some hundred others, so the powers of few times are asked for again and again: each is worked
 * out once.
 */
class OpenWeightGains {
  readonly likely = new Float64Array(GAINS);
  readonly possible = new Float64Array(GAINS);
  readonly #delay: RenderDelay;
  readonly #elapsedMs = new Float64Array(GAINS).fill(-1);
  #meanMs: number;

  constructor(delay: RenderDelay) {
    this.#delay = delay;
    this.#meanMs = delay.meanMs;
  }

  /** Where both stand for this time, until the next call. */
  placeOf(elapsedMs: number): number {
    if (this.#delay.meanMs !== this.#meanMs) {
      this.#meanMs = this.#delay.meanMs;
      this.#elapsedMs.fill(-1);
    }
    const place = Math.floor(elapsedMs) % GAINS;
    if (this.#elapsedMs[place] !== elapsedMs) {
      this.#elapsedMs[place] = elapsedMs;
      this.likely[place] = weightAfter(-elapsedMs, UNRENDERED_DECAY.likely, this.#delay);
      this.possible[place] = weightAfter(-elapsedMs, UNRENDERED_DECAY.possible, this.#delay);
    }
    return place;
  }
}
