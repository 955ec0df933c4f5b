import { BUDGET_WINDOW_MS, budgetWindowStart } from '../../actors/budget/budget-window.ts';
import type { CeilingSpan } from '../../actors/budget/messages.ts';

const NANOS_PER_CENT = 10_000_000;
/** A ceiling is at least this many sales at the price of the first: a seldom holder then needs one statement. */
const FIRST_SALES = 8;
/** A ceiling holds for the present window and for this many after it: 30 minutes in all. */
const WINDOWS_AHEAD = 5;
/** The last stated window's ceiling is renewed at the first sale within this many ms before its end. */
const RENEW_WITHIN_MS = 60_000;

/**
 * The sales of one holder without a limit at this edge, by budget window, and the ceiling that they need. A sale that
 * is never rendered stays: the sums are upper bounds. Nano-dollars and ms since the epoch.
 */
export class UnleasedSales {
  readonly #sold = new Map<number, number>();
  /** The ceiling of the present window and those ahead; 0: none is needed. */
  #ceilingNanos = 0;
  #throughMs = -1;
  #isExact = true;

  get isEmpty(): boolean {
    return this.#sold.size === 0;
  }

  /** Whether the last spans were sums, with no ceiling above them. */
  get isExact(): boolean {
    return this.#isExact;
  }

  /** The last window of the ceiling; -1 without one. */
  get throughMs(): number {
    return this.#throughMs;
  }

  /** Adds a sale. Answers whether a higher or later ceiling is needed: when half of it is used, or it ends soon. */
  add(priceNanos: number, soldAtMs: number): boolean {
    const slotMs = budgetWindowStart(soldAtMs);
    const soldNanos = (this.#sold.get(slotMs) ?? 0) + priceNanos;
    this.#sold.set(slotMs, soldNanos);
    const endsMs = this.#throughMs + BUDGET_WINDOW_MS;
    const isHighEnough = 2 * soldNanos <= this.#ceilingNanos;
    if (isHighEnough && soldAtMs < endsMs - RENEW_WITHIN_MS) return false;
    let mostNanos = 0;
    for (const [at, nanos] of this.#sold) {
      if (at >= slotMs - WINDOWS_AHEAD * BUDGET_WINDOW_MS) mostNanos = Math.max(mostNanos, nanos);
    }
    this.#ceilingNanos = ceilingAbove(Math.max(2 * mostNanos, FIRST_SALES * priceNanos));
    this.#throughMs = Math.max(this.#throughMs, slotMs + WINDOWS_AHEAD * BUDGET_WINDOW_MS);
    return true;
  }

  /** From now on the sums are all that is sold: the holder has a limit, or sells no more. */
  end(): void {
    this.#ceilingNanos = 0;
    this.#throughMs = -1;
  }

  /**
   * What the budget must be told. Windows before `openFromMs` are over: their sums are final, and so is every sum
   * without a ceiling.
   */
  spans(openFromMs: number): CeilingSpan[] {
    const spans: CeilingSpan[] = [];
    for (const [slotMs, nanos] of this.#sold) {
      const isBelow = slotMs >= openFromMs && slotMs <= this.#throughMs && nanos <= this.#ceilingNanos;
      if (!isBelow) spans.push({ fromMs: slotMs, throughMs: slotMs, nanos: Math.min(nanos, Number.MAX_SAFE_INTEGER) });
    }
    this.#isExact = this.#throughMs < openFromMs;
    if (!this.#isExact) spans.push({ fromMs: openFromMs, throughMs: this.#throughMs, nanos: this.#ceilingNanos });
    return spans;
  }

  /** Forgets windows before `slotsFromMs`, of which nothing can be billed any more. */
  forgetBefore(slotsFromMs: number): void {
    for (const slotMs of this.#sold.keys()) if (slotMs < slotsFromMs) this.#sold.delete(slotMs);
  }
}

/** The lowest of 1, 2, 4, 8 … cents that is at least `nanos`. */
function ceilingAbove(nanos: number): number {
  const doublings = Math.max(0, Math.ceil(Math.log2(nanos / NANOS_PER_CENT)));
  return Math.min(NANOS_PER_CENT * 2 ** doublings, Number.MAX_SAFE_INTEGER);
}
