/** No honest floor or bid is higher, USD CPM: beyond it somebody has mistaken the unit. */
export const MAX_CPM = 10_000;

/**
 * Whole micro-dollars CPM of a CPM in dollars, from 0 to {@link MAX_CPM}, else `RangeError`. This is the only rounding
 * between a bid and the books: half-even, once, when the bid is read.
 */
export function cpmMicros(cpm: number): number {
  // Written so that NaN fails too.
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
