import type { HeldBatch } from '../../runtime/ports/message-sum.ts';

/** Messages of all partitions in {@link LEAST_HELD_MS}: so few are sent on at once. */
const FEW_MESSAGES = 2_000;
const LEAST_HELD_MS = 400;
/** Under load, the counts of a region are held for 4 to 5 s. */
const HELD_MS = 4_000;
export const MOST_HELD_MS = 5_000;
/**
 * Edges flush a source's counts within one second of the clock (flush-phase.ts): between two of them is the best time.
 */
const BETWEEN_SECONDS_MS = [150, 400] as const;

/** Whether the region's counts of one of `partitions` are to be sent home. */
export function isHeldEnough({ size, heldMs, nowMs }: HeldBatch, partitions: number): boolean {
  if (heldMs >= MOST_HELD_MS) return true;
  if (size <= Math.max(1, FEW_MESSAGES / partitions)) return heldMs >= LEAST_HELD_MS;
  const intoSecondMs = nowMs % 1_000;
  return heldMs >= HELD_MS && intoSecondMs >= BETWEEN_SECONDS_MS[0] && intoSecondMs < BETWEEN_SECONDS_MS[1];
}
