/** A stratum without an auction for this many ms is forgotten. */
const FORGET_AFTER_MS = 60_000;
/** Upper bound of strata, each a publisher with one outcome; beyond it, new ones wait until others are forgotten. */
const MOST_STRATA = 50_000;
/** Unused samples are saved up for this many ms. */
const BURST_MS = 10_000;

/** Auctions of one publisher with one outcome. */
interface Stratum {
  /** Auctions since the last one that was taken. */
  offered: number;
  takenAtMs: number;
  offeredAtMs: number;
}

/**
 * Chooses auctions for the record, `perSecond` of them, fairly. Each publisher's auctions with one outcome are a
 * stratum, and strata take turns, so that neither a publisher with a thousandfold traffic nor a frequent outcome
 * displaces the others. A choice costs one lookup in a table. All times are monotonic ms.
 */
export class Sampler {
  readonly #perSecond: number;
  readonly #burst: number;
  /** Strata by outcome, by publisher. */
  readonly #strata = new Map<string, Map<string, Stratum>>();
  #size = 0;
  #tokens: number;
  #filledAtMs: number;
  #sweptAtMs: number;

  constructor(perSecond: number, nowMs: number) {
    this.#perSecond = perSecond;
    this.#burst = Math.max(1, (perSecond * BURST_MS) / 1000);
    this.#tokens = this.#burst;
    this.#filledAtMs = nowMs;
    this.#sweptAtMs = nowMs;
  }

  /**
   * The number of auctions of the stratum that the offered one stands for: itself and those since the last one taken;
   * 0: it is not taken.
   */
  offer(publisherId: string, outcome: string, nowMs: number): number {
    const stratum = this.#strata.get(outcome)?.get(publisherId) ?? this.#begin(publisherId, outcome, nowMs);
    if (stratum === null) return 0;
    stratum.offered += 1;
    stratum.offeredAtMs = nowMs;
    // Strata take turns: a stratum is due once in as many samples as there are strata. Saved-up tokens let a quiet
    // stratum have all its auctions recorded.
    const saved = this.#fill(nowMs);
    if (saved < 1) return 0;
    const turnMs = (1000 * this.#size) / this.#perSecond;
    if (saved < this.#burst / 2 && nowMs - stratum.takenAtMs < turnMs) return 0;
    this.#tokens -= 1;
    stratum.takenAtMs = nowMs;
    const stoodFor = stratum.offered;
    stratum.offered = 0;
    return stoodFor;
  }

  #begin(publisherId: string, outcome: string, nowMs: number): Stratum | null {
    if (this.#size >= MOST_STRATA) return null;
    let ofOutcome = this.#strata.get(outcome);
    if (ofOutcome === undefined) {
      ofOutcome = new Map();
      this.#strata.set(outcome, ofOutcome);
    }
    const stratum = { offered: 0, takenAtMs: Number.NEGATIVE_INFINITY, offeredAtMs: nowMs };
    ofOutcome.set(publisherId, stratum);
    this.#size += 1;
    return stratum;
  }

  #fill(nowMs: number): number {
    if (nowMs - this.#sweptAtMs > FORGET_AFTER_MS) this.#sweep(nowMs);
    this.#tokens = Math.min(this.#burst, this.#tokens + ((nowMs - this.#filledAtMs) * this.#perSecond) / 1000);
    this.#filledAtMs = nowMs;
    return this.#tokens;
  }

  #sweep(nowMs: number): void {
    this.#sweptAtMs = nowMs;
    for (const ofOutcome of this.#strata.values()) {
      for (const [publisherId, { offeredAtMs }] of ofOutcome) {
        if (nowMs - offeredAtMs > FORGET_AFTER_MS && ofOutcome.delete(publisherId)) this.#size -= 1;
      }
    }
  }
}
