import type { Clock } from '../ports/clock.ts';

/** A timer that fires this much later than it was set for tells that the event loop was busy meanwhile, ms. */
const LATE_MS = 20;

/**
 * Calls `fire` once after `delayMs`, to judge by answers that did not come; the returned function cancels. Where the
 * event loop was busy, timers come before the answers that have arrived meanwhile: those are read first then.
 */
export function afterAnswers(clock: Clock, delayMs: number, fire: () => void): () => void {
  const dueMs = clock.monotonic() + delayMs;
  let cancel = clock.after(delayMs, () => {
    if (clock.monotonic() - dueMs < LATE_MS) fire();
    else cancel = clock.after(1, fire);
  });
  return () => cancel();
}
