import type { RateCounters } from '../../../../runtime/ports/rate-counters.ts';
import { ApiError } from '../../../errors.ts';
import type { ManagementDeps } from '../../deps.ts';

/** Wrong passwords are counted in windows of so long. */
const windowMs = 15 * 60_000;
/** Wrong ones under one key that are let pass in one window, unless something else is said. */
export const MAX_PASSWORD_FAILURES = 10;

/** Under what wrong passwords are counted. */
export interface FailureLimit {
  readonly key: string;
  /**
   * `refuse`: past `allowed` failures, nothing more until the window ends. `delay`: past `allowed`, each further failure is
   * followed by a time without answers, 1 s at first and twice as long each time, as long as a window at most.
   */
  readonly beyondLimit: 'refuse' | 'delay';
  readonly allowed: number;
}

/** The wrong passwords shown of late, in all processes together; counts end with their windows. */
export function createPasswordFailures({ rates }: Pick<ManagementDeps, 'rates'>, counts: readonly FailureLimit[]) {
  return {
    /** RATE_LIMITED when there were too many under any of the keys. */
    async refuseTooMany(): Promise<void> {
      assertNotBlocked(await Promise.all(counts.map((count) => blockedUntilMs(rates, count, 0, count.allowed))));
    },
    /**
     * Counts one more. RATE_LIMITED when it is one too many: many guesses may be judged at the same moment, and once right
     * ones are refused, to call the others wrong would tell which was right.
     */
    async failed(): Promise<void> {
      assertNotBlocked(await Promise.all(counts.map((count) => blockedUntilMs(rates, count, 1, count.allowed + 1))));
    },
  };
}

/** Until when nothing is answered under this key, once it has `points` more failures; null when it is. */
async function blockedUntilMs(
  rates: RateCounters,
  { key, beyondLimit: past, allowed }: FailureLimit,
  points: 0 | 1,
  tooMany: number,
): Promise<number | null> {
  const { consumed, resetAtMs } = await rates.consume(key, points, windowMs);
  if (past === 'refuse') return consumed >= tooMany ? resetAtMs : null;
  if (consumed <= allowed) return null;
  // The delay after this many failures has a window of its own, which the last of them opened.
  const delayMs = Math.min(windowMs, 1_000 * 2 ** Math.min(20, consumed - allowed - 1));
  const delay = await rates.consume(`${key}:${consumed}`, points, delayMs);
  // Whoever's failure begins the delay hears of it, so that a right guess of the same moment is answered alike.
  return delay.consumed > 0 ? delay.resetAtMs : null;
}

function assertNotBlocked(blocked: readonly (number | null)[]): void {
  const over = blocked.filter((untilMs) => untilMs !== null);
  if (over.length === 0) return;
  throw new ApiError('RATE_LIMITED', 'Too many wrong passwords.', undefined, { resetAtMs: Math.max(...over) });
}
