import { pause } from '../../async/pause.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { AdvanceWatermark } from '../watermark/advance-watermark.ts';
import { type BillingDeps, type FreezeOutcome, freezeStatement, type StatementSource } from './freeze-statement.ts';

const LOOK_EVERY_MS = 100;

/**
 * Freezes as soon as the books of the month are complete, and gives up after `waitMs`: who asks in the first seconds of a
 * month has the books completed instead of being told a sum that may still grow, whether or not anybody keeps the schedule.
 */
export async function freezeWhenComplete(
  parts: BillingDeps & { readonly clock: Clock; readonly completeBooks: AdvanceWatermark },
  source: StatementSource,
  month: string,
  waitMs: number,
): Promise<FreezeOutcome> {
  const { clock, completeBooks } = parts;
  const untilMs = clock.monotonic() + waitMs;
  for (;;) {
    const outcome = await freezeStatement(parts, source, month);
    const leftMs = untilMs - clock.monotonic();
    if (outcome.frozen !== null || !outcome.books || leftMs <= 0) return outcome;
    // What it rejects with, a partition that nobody has or a log that is away, the outcome says in the books' words.
    await completeBooks(leftMs).catch(() => {});
    await pause(clock, LOOK_EVERY_MS);
  }
}
