/**
 * `numerator / denominator`, rounded to the nearest whole number, halves to the even one. `denominator` must be above
 * 0.
 */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) throw new RangeError('the denominator must be positive');
  const floor = numerator / denominator - (numerator < 0n && numerator % denominator !== 0n ? 1n : 0n);
  const twiceRest = 2n * (numerator - floor * denominator);
  if (twiceRest < denominator) return floor;
  if (twiceRest > denominator) return floor + 1n;
  return floor % 2n === 0n ? floor : floor + 1n;
}
