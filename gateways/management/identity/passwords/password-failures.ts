import { ApiError } from '#gateways/errors';
import type { RateCounters } from '#runtime/ports/rate-counters';
import type { ManagementDeps } from '../../deps.ts';

/** The length of the windows in which wrong passwords are counted, in ms. */
const windowMs = 15 * 60_000;
/** The number of wrong passwords under one key that one window allows by default. */
export const MAX_PASSWORD_FAILURES = 10;

/** A key under which wrong passwords are counted, and its bound. */
export interface FailureLimit {
  readonly key: string;
  /**
   * `refuse`: after `allowed` failures every attempt is refused until the window ends. `delay`: after `allowed`
   * failures, each further failure is followed by a time in which attempts are refused; it is 1 s at first, doubles
   * each time and is at most one window long.
   */
  readonly beyondLimit: 'refuse' | 'delay';
  readonly allowed: number;
}

/** Creates the counts of recent wrong passwords, which all processes share; a count ends with its window. */
export function createPasswordFailures({ rates }: Pick<ManagementDeps, 'rates'>, counts: readonly FailureLimit[]) {
  return {
    /** Throws RATE_LIMITED when any of the keys has had too many failures. */
    async refuseTooMany(): Promise<void> {
      assertNotBlocked(await Promise.all(counts.map((count) => blockedUntilMs(rates, count, 0, count.allowed))));
    },
    /**
     * Counts one more failure. RATE_LIMITED when it is one too many. Many guesses may be checked at the same moment;
     * once right ones are refused, the answer to wrong ones must not differ, or it would reveal which guess was right.
     */
    async failed(): Promise<void> {
      assertNotBlocked(await Promise.all(counts.map((count) => blockedUntilMs(rates, count, 1, count.allowed + 1))));
    },
  };
}

/**
 * The instant until which attempts under this key are refused, once it has `points` more failures; null when they are
 * not.
 */
async function blockedUntilMs(
  rates: RateCounters,
  { key, beyondLimit, allowed }: FailureLimit,
  points: 0 | 1,
  tooMany: number,
): Promise<number | null> {
  const { consumed, resetAtMs } = await rates.consume(key, points, windowMs);
  if (beyondLimit === 'refuse') return consumed >= tooMany ? resetAtMs : null;
  if (consumed <= allowed) return null;
  // The delay after this many failures has a window of its own, which the last failure opened.
  const delayMs = Math.min(windowMs, 1_000 * 2 ** Math.min(20, consumed - allowed - 1));
  const delay = await rates.consume(`${key}:${consumed}`, points, delayMs);
  // The failure that begins the delay is refused as well, so that a right guess of the same moment gets the same
  // answer.
  return delay.consumed > 0 ? delay.resetAtMs : null;
}

function assertNotBlocked(blocked: readonly (number | null)[]): void {
  const over = blocked.filter((untilMs) => untilMs !== null);
  if (over.length === 0) return;
  throw new ApiError('RATE_LIMITED', 'Too many wrong passwords.', undefined, { resetAtMs: Math.max(...over) });
}
