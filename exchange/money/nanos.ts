/**
 * Money is counted in whole nano-dollars: a price in micro-dollars CPM is a whole number of nano-dollars per impression
 * (CPM ÷ 1000 × 1000), so a sum of impressions is exact and rounding happens once, where a report leaves the exchange.
 *
 * One page of a ledger (at most an hour of one source in one region, or its day where that fits) is a safe integer: 2^53
 * nano-dollars are 9 million dollars. Sums over pages are bigints.
 */
export type Nanos = number;

/** A sum of pages. */
export type NanosSum = bigint;

/** Throws `RangeError` unless `value` is a whole number that a double holds exactly. */
export function assertExact(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not an exact whole number of nano-dollars: ${value}`);
  return value;
}

/** `a + b`, exact or `RangeError`. */
export function addNanos(a: Nanos, b: Nanos): Nanos {
  return assertExact(a + b);
}

/** What one impression at this price moves. Whole micro-dollars CPM are nano-dollars per impression. */
export function nanosPerImpression(priceCpmMicros: number): Nanos {
  return assertExact(priceCpmMicros);
}
