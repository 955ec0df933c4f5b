import type { Clock } from '../../runtime/ports/clock.ts';
import { type BillingParts, type FreezeOutcome, freezeStatement, type StatementSource } from './freeze-statement.ts';

const LOOK_EVERY_MS = 100;

/**
 * Freezes as soon as the books of the month are complete, and gives up after `waitMs`: who asks in the first seconds of a
 * month waits for the books instead of being told a sum that may still grow.
 */
export async function freezeWhenComplete(
  parts: BillingParts & { readonly clock: Clock },
  source: StatementSource,
  month: string,
  waitMs: number,
): Promise<FreezeOutcome> {
  const { clock } = parts;
  const untilMs = clock.monotonic() + waitMs;
  for (;;) {
    const outcome = await freezeStatement(parts, source, month);
    if (outcome.frozen !== null || !outcome.books || clock.monotonic() >= untilMs) return outcome;
    await new Promise<void>((resolve) => clock.after(LOOK_EVERY_MS, resolve));
  }
}
