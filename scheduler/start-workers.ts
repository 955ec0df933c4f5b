import type { Logger } from '../runtime/actor/logger.ts';
import type { BackgroundWorker } from './background-worker.ts';

/** Starts the background workers of one term. A worker that cannot start does not stop the others from starting. */
export function startWorkers(workers: readonly BackgroundWorker[], logger: Logger): { close(): Promise<void> } {
  const started = workers.flatMap((worker) => {
    try {
      return [{ worker, running: worker.start() }];
    } catch (err) {
      logger.error({ err, worker: worker.name }, 'a background worker could not start');
      return [];
    }
  });
  return {
    async close() {
      const close = ({ worker, running }: (typeof started)[number]) =>
        running
          .close()
          .catch((err) => logger.error({ err, worker: worker.name }, 'a background worker did not close cleanly'));
      await Promise.all(started.map(close));
    },
  };
}
