import { nanosPerImpression } from '../../exchange/money/nanos.ts';
import { INVALID_NANOS } from '../ledger/invalid-counts.ts';
import type { Impression, InvalidImpression } from './messages.ts';
import type { ImpressionRollupState } from './state.ts';

type Day = ImpressionRollupState['day'];

/**
 * The most nano-dollars of one rollup that nobody pays: billed ones of the sandbox, invalid ones of the sandbox, and
 * invalid live ones, each. A day has at most 256 rollups, one of each partition, so what all of them tell any ledger is
 * exact, whatever is bid; and the sandbox leaves live impressions 255 parts of 256 of what a rollup's day holds
 * exactly.
 */
export const MAX_FREE_NANOS = Math.floor(Number.MAX_SAFE_INTEGER / 256);

/** Whether the day takes an impression: each that is live, and those of the sandbox up to {@link MAX_FREE_NANOS}. */
export function dayTakes({ sandbox }: Day, impression: Impression): boolean {
  if (impression.sandbox !== true) return true;
  return (sandbox?.grossNanos ?? 0) + nanosPerImpression(impression.priceCpmMicros) <= MAX_FREE_NANOS;
}

/** What an invalid impression counts as not charged: its price, or nothing beyond {@link MAX_FREE_NANOS}. */
export function countedInvalidNanos({ invalid, sandbox }: Day, impression: InvalidImpression): number {
  const grossNanos = nanosPerImpression(impression.priceCpmMicros);
  const ofSandbox = sandbox?.invalidNanos ?? 0;
  const held = impression.sandbox === true ? ofSandbox : (invalid?.[INVALID_NANOS] ?? 0) - ofSandbox;
  return held + grossNanos <= MAX_FREE_NANOS ? grossNanos : 0;
}

/** Notes, in place, that a part of the day's sums is of the sandbox. */
export function addSandboxNanos(day: Day, of: keyof NonNullable<Day['sandbox']>, grossNanos: number): void {
  day.sandbox ??= { grossNanos: 0, invalidNanos: 0 };
  day.sandbox[of] += grossNanos;
}
