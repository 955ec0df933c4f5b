/**
 * A CPM as a bid gives it, in whole micro-dollars: the clearing price is rounded here, half-even, once, when the bid is
 * read. Null when it is no price: negative, not finite, or too large to count exactly.
 */
export function cpmMicros(cpm: number): number | null {
  if (!(cpm >= 0)) return null;
  const exact = cpm * 1_000_000;
  const floor = Math.floor(exact);
  if (!Number.isSafeInteger(floor + 1)) return null;
  const rest = exact - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}

/** The CPM in dollars, for OpenRTB. */
export function cpmOf(priceCpmMicros: number): number {
  return priceCpmMicros / 1_000_000;
}
