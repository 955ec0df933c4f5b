import { pause } from '../../async/pause.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { AdvanceWatermark } from '../watermark/advance-watermark.ts';
import { type BillingDeps, type FreezeOutcome, freezeStatement, type StatementSource } from './freeze-statement.ts';

const LOOK_EVERY_MS = 100;

/**
 * Freezes as soon as the books of the month are complete, and gives up after `waitMs`. A caller in the first seconds of
 * a month thus gets complete books instead of a sum that may still grow, whether or not a scheduler runs.
 */
export async function freezeWhenComplete(
  deps: BillingDeps & { readonly clock: Clock; readonly completeBooks: AdvanceWatermark },
  source: StatementSource,
  month: string,
  waitMs: number,
): Promise<FreezeOutcome> {
  const { clock, completeBooks } = deps;
  const untilMs = clock.monotonic() + waitMs;
  for (;;) {
    const outcome = await freezeStatement(deps, source, month);
    const leftMs = untilMs - clock.monotonic();
    if (outcome.frozen !== null || !outcome.books || leftMs <= 0) return outcome;
    // A rejection (a partition without an owner, a log that is away) is reported by the outcome, as incomplete books.
    await completeBooks(leftMs).catch(() => {});
    await pause(clock, LOOK_EVERY_MS);
  }
}
