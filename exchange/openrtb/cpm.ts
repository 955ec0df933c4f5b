/** No honest floor or bid is higher, USD CPM: beyond it somebody has mistaken the unit. */
export const MAX_CPM = 10_000;

/** Whole micro-dollars CPM of a price in dollars CPM: the only rounding between a bid and the books. */
export function cpmMicros(cpm: number): number {
  return Math.round(cpm * 1_000_000);
}

/** Dollars CPM, as the standard writes prices. */
export function cpmOf(micros: number): number {
  return micros / 1_000_000;
}
