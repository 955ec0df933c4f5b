/** The highest floor or bid that is accepted, in USD CPM: a higher one comes from a mistaken unit. */
export const MAX_CPM = 10_000;

/**
 * Converts a CPM in dollars, from 0 to {@link MAX_CPM}, to whole micro-dollars CPM; throws `RangeError` for other
 * values. This is the only rounding between a bid and the ledgers: half-even, once, when the bid is read.
 */
export function cpmMicros(cpm: number): number {
  // The condition is negated so that NaN fails too.
  if (!(cpm >= 0 && cpm <= MAX_CPM)) throw new RangeError(`not a CPM from 0 to ${MAX_CPM}: ${cpm}`);
  const exact = cpm * 1_000_000;
  const floor = Math.floor(exact);
  const rest = exact - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}

/** The CPM in dollars, as the standard writes prices. */
export function cpmOf(priceCpmMicros: number): number {
  return priceCpmMicros / 1_000_000;
}
