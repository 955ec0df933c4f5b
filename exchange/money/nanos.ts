/**
 * An amount in whole nano-dollars. A price in micro-dollars CPM is a whole number of nano-dollars per impression (CPM ÷
 * 1000 × 1000), so a sum of impressions is exact, and rounding happens once, where a report leaves the exchange.
 *
 * One ledger page (at most an hour of one source in one region, or its day where that fits) is a safe integer: 2^53
 * nano-dollars are 9 million dollars. Sums over pages are bigints.
 */
export type Nanos = number;

/** A sum over ledger pages, in nano-dollars. */
export type NanosSum = bigint;

/** Throws `RangeError` unless `value` is a whole number that a double holds exactly. */
export function assertExact(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not an exact whole number of nano-dollars: ${value}`);
  return value;
}

/** `a + b`; throws `RangeError` where the sum is not exact. */
export function addNanos(a: Nanos, b: Nanos): Nanos {
  return assertExact(a + b);
}

/** The amount that one impression at this price moves: whole micro-dollars CPM equal nano-dollars per impression. */
export function nanosPerImpression(priceCpmMicros: number): Nanos {
  return assertExact(priceCpmMicros);
}
