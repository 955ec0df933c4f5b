import { retry } from '#async/retry';
import { ActorTimeout, LogUnavailable } from '#runtime/actor/errors';

const ATTEMPTS = 12;

/**
 * Repeats an ask while no process answers, since a process may start before the one that hosts the actors. Only asks
 * that may be repeated are allowed. After about a minute the last failure is thrown.
 */
export function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  const mayRetry = (error: unknown) => error instanceof ActorTimeout || error instanceof LogUnavailable;
  return retry(ask, { attempts: ATTEMPTS, mayRetry });
}
