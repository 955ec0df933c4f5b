import { fileURLToPath } from 'node:url';
import Bree from 'bree';
import type { Logger } from '../runtime/actor/logger.ts';

/** A timer that calls back at the dates of cron expressions. */
export interface CronTimer {
  close(): Promise<void>;
}

/**
 * Starts a timer that calls `wake` with the name of a job at each of its dates. The timer goes by the machine's clock,
 * so a call may come a little early or late by the log's clock.
 */
export type StartCronTimer = (
  jobs: readonly { readonly name: string; readonly cron: string }[],
  wake: (job: string) => void,
  logger: Logger,
) => Promise<CronTimer>;

/** The limits of a thread that posts one message. */
const WORKER_LIMITS = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };

/**
 * The timer on Bree. `cron` has five fields, or six with seconds first. Each date starts a thread that posts one
 * message and ends, so that no thread is held between dates.
 */
export const startBreeTimer: StartCronTimer = async (jobs, wake, logger) => {
  const path = fileURLToPath(new URL('./cron-timer-worker.js', import.meta.url));
  const bree = new Bree({
    root: false,
    logger: false,
    timezone: 'UTC',
    worker: { resourceLimits: WORKER_LIMITS },
    jobs: jobs.map(({ name, cron }) => ({ name, path, cron, hasSeconds: cron.split(' ').length === 6 })),
    workerMessageHandler: ({ name }: { name: string }) => wake(name),
    // A date that this timer misses is found at the next renewal of the leader lease.
    errorHandler: (err: unknown) => logger.warn({ err }, 'the timer of the scheduler failed'),
  });
  await bree.start();
  return { close: () => bree.stop() };
};
