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

/** The decimals of a cent that a nano-dollar is the last of. */
const NANO_DECIMALS = 7;
const MICRO_DECIMALS = 4;
/**
 * Below it doubles are less than a nano-dollar apart, so that each amount has a double of its own: 5 million dollars.
 */
const MOST_CENTS_IN_NANOS = 500_000_000;

/** The amount in cents with all its decimals, at most 7: `7.9450923`. */
export function centsText(nanos: NanosSum): string {
  const digits = String(nanos < 0n ? -nanos : nanos).padStart(NANO_DECIMALS + 1, '0');
  const text = `${digits.slice(0, -NANO_DECIMALS)}.${digits.slice(-NANO_DECIMALS)}`.replace(/\.?0+$/, '');
  return nanos < 0n ? `-${text}` : text;
}

/**
 * The amount in cents: the double closest to {@link centsText}; below 5 million dollars no other amount has that one.
 */
export function exactCentsOf(nanos: NanosSum): number {
  return Number(centsText(nanos));
}

/**
 * The amount as whole nano-dollars: of cents with at most 7 decimals, or at most 4 from 5 million dollars up, where a
 * double does not tell nano-dollars apart. Null for any other number.
 */
export function nanosOfCents(cents: number): NanosSum | null {
  const decimals = Math.abs(cents) < MOST_CENTS_IN_NANOS ? NANO_DECIMALS : MICRO_DECIMALS;
  const text = cents.toFixed(decimals);
  return Number(text) === cents ? BigInt(text.replace('.', '')) * 10n ** BigInt(NANO_DECIMALS - decimals) : null;
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
