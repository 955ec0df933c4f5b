import { retry } from '../../../async/retry.ts';
import { ActorTimeout, LogUnavailable } from '../../../runtime/actor/errors.ts';

const ATTEMPTS = 12;

/**
 * Asks again while nothing answers: a process may start before the one that hosts the actors. Only for what may be asked
 * twice. After a minute or so the last failure is thrown.
 */
export function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  const mayRetry = (error: unknown) => error instanceof ActorTimeout || error instanceof LogUnavailable;
  return retry(ask, { attempts: ATTEMPTS, mayRetry });
}
