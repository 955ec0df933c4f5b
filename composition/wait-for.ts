import { pause, systemTimer } from '../async/pause.ts';
import { retry } from '../async/retry.ts';
import type { Logger } from '../runtime/actor/logger.ts';

/** A waiting process logs at this interval, ms, and tries again at most this often. */
const EVERY_MS = 1_000;

/** The options of waiting for a dependency at the start of a process. */
export interface WaitOptions {
  /** The logger gets one line a second with what is waited for and the latest failure. */
  readonly logger: Logger;
  /** The longest wait, ms; 0: one try. */
  readonly withinMs: number;
}

/** One try to open something. */
export interface Attempt<T> {
  /** @param failed notes a failure that the try survives, such as a refused connection */
  open(failed: (cause: unknown) => void): Promise<T>;
  /** Whether another try may succeed: true for a server that is not up yet, false for a wrong password. */
  mayComeUp(error: Error): boolean;
}

/**
 * Opens a dependency that may start after this process.
 * @param what its name in the log, with its setting: `Redis (REDIS_URL)`
 * @throws the last failure, once `withinMs` have passed or where waiting is of no use
 */
export async function waitFor<T>(
  what: string,
  { open, mayComeUp }: Attempt<T>,
  { logger, withinMs }: WaitOptions,
): Promise<T> {
  const startedMs = performance.now();
  const passedMs = () => performance.now() - startedMs;
  let triedMs = 0;
  let problem = 'no answer yet';
  const failed = (cause: unknown) => {
    problem = cause instanceof Error ? cause.message : String(cause);
  };
  return whileWaiting(
    what,
    logger,
    () =>
      retry(
        () => {
          triedMs = passedMs();
          return open(failed);
        },
        {
          mayRetry: (error) => {
            failed(error);
            return passedMs() < withinMs && mayComeUp(error as Error);
          },
          pause: () => pause(systemTimer, Math.max(0, triedMs + EVERY_MS - passedMs())),
        },
      ),
    () => ({ problem, withinMs }),
  );
}

/**
 * Logs once a second that `what` is waited for, until `work` is done; logs nothing when that takes less than a second.
 */
export async function whileWaiting<T>(
  what: string,
  logger: Pick<Logger, 'warn'>,
  work: () => Promise<T>,
  more: () => object = () => ({}),
): Promise<T> {
  const startedMs = performance.now();
  const telling = setInterval(() => {
    const waitedMs = Math.round(performance.now() - startedMs);
    logger.warn({ waitedMs, ...more() }, `waiting for ${what}`);
  }, EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(telling);
  }
}
