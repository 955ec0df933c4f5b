import type { BarrierResult } from '../../runtime/node/log-barrier.ts';
import type { Clock } from '../../runtime/ports/clock.ts';

/** An exchange that sells takes something in during each attempt; between two impressions one of these may fit. */
const ATTEMPTS = 5;
/** After this time no further attempt begins, ms. */
const ATTEMPTS_WITHIN_MS = 60_000;

export interface StillRead<T> {
  /** What was read while nothing was appended to the log; null when there was no such read. */
  readonly read: T | null;
  /** The last barrier that was passed; null when none was. */
  readonly passed: BarrierResult | null;
}

/**
 * Reads between two barriers, again until nothing was appended to the log between them: what was read is then complete
 * as it is, the current hour included. Gives up after 5 attempts, after a minute, or when a barrier is not passed.
 * @param barrier answers null when it was not passed in time
 */
export async function readWhenStill<T>(
  { barrier, clock }: { readonly barrier: () => Promise<BarrierResult | null>; readonly clock: Clock },
  read: (passed: BarrierResult) => Promise<T>,
): Promise<StillRead<T>> {
  const sinceMs = clock.monotonic();
  let passed = await barrier();
  for (let attempt = 1; passed !== null; attempt++) {
    const done = await read(passed);
    const after = await barrier();
    if (after?.appended === passed.appended) return { read: done, passed };
    if (after === null || attempt === ATTEMPTS || clock.monotonic() - sinceMs >= ATTEMPTS_WITHIN_MS) break;
    passed = after;
  }
  return { read: null, passed };
}
