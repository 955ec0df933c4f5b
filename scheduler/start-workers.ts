import type { Logger } from '../runtime/actor/logger.ts';
import type { BackgroundWorker } from './background-worker.ts';

/** Starts the background workers of one term. A worker that cannot start does not stop the others from starting. */
export function startWorkers(workers: readonly BackgroundWorker[], logger: Logger): { close(): Promise<void> } {
  const started = workers.flatMap((duty) => {
    try {
      return [{ duty, running: duty.start() }];
    } catch (err) {
      logger.error({ err, duty: duty.name }, 'a duty could not begin');
      return [];
    }
  });
  return {
    async close() {
      const close = ({ duty, running }: (typeof started)[number]) =>
        running.close().catch((err) => logger.error({ err, duty: duty.name }, 'a duty did not end well'));
      await Promise.all(started.map(close));
    },
  };
}
