import { Registry } from 'prom-client';
import { job } from '#actors/job/job';
import type { JobState } from '#actors/job/reduce';
import { FILED_HOURS_ID } from '#actors/watermark/watermark';
import { passBarrier } from '#runtime/node/log-barrier';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import { fileLedgerHours } from '#scheduler/jobs/file-ledger-hours';
import { finaliseBilling } from '#scheduler/jobs/finalise-billing';
import { type Scheduler, startScheduler } from '#scheduler/scheduler';
import { readWatermark } from '#scheduler/watermark/read-watermark';
import { WatermarkMetrics } from '#scheduler/watermark/watermark-metrics';
import { watermarkWorker } from '#scheduler/workers/watermark';
import type { MonthEndExchange } from './exchange.ts';

const RENDER_WINDOW_MS = 3_600_000;

/**
 * The scheduler of the exchange with the jobs and the worker that a month's end needs. Dates come by the log's clock,
 * which a test moves, so no timer of the machine's clock is used: the renewals of the leadership find what is due.
 */
export class Schedule {
  readonly #exchange: MonthEndExchange;
  readonly #scheduler: Scheduler;
  /** Statements that were frozen by asks of this scheduler. */
  frozen = 0;
  /** The longest ask for a statement. */
  longestAskMs = 0;

  static async start(exchange: MonthEndExchange): Promise<Schedule> {
    const { sender, store, log, logger } = exchange;
    const registry = new Registry();
    let schedule: Schedule;
    const messenger: typeof sender.messenger = {
      tell: (...message) => sender.messenger.tell(...message),
      async ask(kind, ...message) {
        const sinceMs = performance.now();
        const reply = await sender.messenger.ask(kind, ...message);
        if (kind.kind === 'statement') schedule.#noteFrozen(performance.now() - sinceMs);
        return reply;
      },
    };
    const barrier = { log: log.log, leases: log.leases, clock: systemClock };
    const scheduler = await startScheduler({
      ...{ messenger, clock: systemClock, random: systemRandom, logger, registry, process: sender.incarnation },
      jobs: [
        fileLedgerHours({ store, messenger, passBarrier: (signal) => passBarrier({ ...barrier, signal }) }),
        finaliseBilling({ store, messenger, logger }),
      ],
      workers: [
        watermarkWorker({
          ...{ messenger, store, clock: systemClock, logger, metrics: new WatermarkMetrics(registry) },
          renderWindowMs: RENDER_WINDOW_MS,
          passBarrier: (signal, onWaiting) => passBarrier({ ...barrier, signal, onWaiting }),
        }),
      ],
      startCronTimer: async () => ({ close: async () => {} }),
    });
    schedule = new Schedule(exchange, scheduler);
    return schedule;
  }

  private constructor(exchange: MonthEndExchange, scheduler: Scheduler) {
    this.#exchange = exchange;
    this.#scheduler = scheduler;
  }

  watermarkMs(): Promise<number> {
    return readWatermark(this.#exchange);
  }

  filedThroughMs(): Promise<number> {
    return readWatermark(this.#exchange, FILED_HOURS_ID);
  }

  /** The state of a job as its actor has saved it; null before it was described. */
  async job(name: string): Promise<JobState | null> {
    const [document] = await this.#exchange.store.load([{ kind: job.kind, id: name }]);
    return (document?.state as JobState | undefined) ?? null;
  }

  close(): Promise<void> {
    return this.#scheduler.close();
  }

  #noteFrozen(tookMs: number): void {
    this.frozen += 1;
    this.longestAskMs = Math.max(this.longestAskMs, tookMs);
  }
}
