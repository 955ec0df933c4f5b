import { divideHalfEven } from './half-even.ts';
import type { NanosSum } from './nanos.ts';

/** One cent is 10,000,000 nano-dollars; the fourth decimal of a cent is a micro-dollar. */
export const NANOS_PER_CENT = 10_000_000n;
const NANOS_PER_MICRO = 1_000n;
const MICROS_PER_CENT = 10_000;

/** The amount in cents with at most 4 decimals, rounded half-even once: `micro-dollars / 10000`. */
export function centsOf(nanos: NanosSum): number {
  return Number(divideHalfEven(nanos, NANOS_PER_MICRO)) / MICROS_PER_CENT;
}

/** The amount in whole cents, rounded half-even once. */
export function wholeCentsOf(nanos: NanosSum): number {
  return Number(divideHalfEven(nanos, NANOS_PER_CENT));
}

/** eCPM, or average CPM, in cents with at most 4 decimals: `sum ÷ impressions × 1000`; 0 without impressions. */
export function ecpmCentsOf(nanos: NanosSum, impressions: number): number {
  if (impressions === 0) return 0;
  return Number(divideHalfEven(nanos * 1000n, BigInt(impressions) * NANOS_PER_MICRO)) / MICROS_PER_CENT;
}

/** Average CPM in dollars, with at most 6 decimals: `sum ÷ impressions × 1000`; 0 without impressions. */
export function averageCpmOf(nanos: NanosSum, impressions: number): number {
  if (impressions === 0) return 0;
  // Nano-dollars per impression are micro-dollars CPM.
  return Number(divideHalfEven(nanos, BigInt(impressions))) / 1_000_000;
}
