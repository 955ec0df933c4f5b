import { fileURLToPath } from 'node:url';
import Bree from 'bree';
import type { Logger } from '../runtime/actor/logger.ts';

/** Calls somebody at the dates of cron expressions. */
export interface CronTimer {
  close(): Promise<void>;
}

/**
 * Has `wake` called with the name of a job at each of its dates. Rings by the machine's clock, so a little early or late by
 * the log's.
 */
export type StartCronTimer = (
  jobs: readonly { readonly name: string; readonly cron: string }[],
  wake: (job: string) => void,
  logger: Logger,
) => Promise<CronTimer>;

/** What a thread that says one word needs. */
const WORKER_LIMITS = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };

/**
 * Bree as the alarm. `cron` has five fields, or six with seconds before them. Each date starts a thread that says so and ends,
 * so that nothing is held between dates.
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
    // What this alarm misses is found when the right to run jobs is next asked for.
    errorHandler: (err: unknown) => logger.warn({ err }, 'the alarm of the scheduler failed'),
  });
  await bree.start();
  return { close: () => bree.stop() };
};
