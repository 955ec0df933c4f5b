import { divideHalfEven } from './half-even.ts';
import { assertExact, type Nanos } from './nanos.ts';

/** 100 % in parts per million. */
export const WHOLE_PPM = 1_000_000;
const PPM_PER_PERCENT = 10_000;

/**
 * Converts a fee in per cent, from 0 to 100 with at most 4 decimals, to parts per million; throws `RangeError` for
 * other values.
 */
export function feePpmOf(percent: number): number {
  const ppm = Math.round(percent * PPM_PER_PERCENT);
  // A number with 4 decimals is the double that its parts per million divide to; any other number has more decimals.
  const exact = ppm / PPM_PER_PERCENT === percent;
  if (!exact || ppm < 0 || ppm > WHOLE_PPM) throw new RangeError(`no such fee: ${percent} %`);
  return ppm;
}

export function feePercentOf(feePpm: number): number {
  return feePpm / PPM_PER_PERCENT;
}

/**
 * The exchange's fee for one impression: `feePpm` parts per million of the price, rounded half-even once, in whole
 * nano-dollars. A sum of fees is a sum of these values, so it does not depend on how impressions are grouped.
 */
export function feeNanos(priceCpmMicros: number, feePpm: number): Nanos {
  if (!Number.isSafeInteger(feePpm) || feePpm < 0 || feePpm > WHOLE_PPM) throw new RangeError(`no such fee: ${feePpm}`);
  const product = assertExact(priceCpmMicros) * feePpm;
  if (!Number.isSafeInteger(product))
    return Number(divideHalfEven(BigInt(priceCpmMicros) * BigInt(feePpm), 1_000_000n));
  const rest = product % WHOLE_PPM;
  const floor = (product - rest) / WHOLE_PPM;
  const half = WHOLE_PPM / 2;
  return rest > half || (rest === half && floor % 2 === 1) ? floor + 1 : floor;
}
