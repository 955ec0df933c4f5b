import { Registry } from 'prom-client';
import { job } from '#actors/job/job';
import type { JobState } from '#actors/job/reduce';
import { statement } from '#actors/statement/statement';
import { FILED_HOURS_ID } from '#actors/watermark/watermark';
import { passBarrier } from '#runtime/node/log-barrier';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import type { Job } from '#scheduler/job';
import { JobRunner } from '#scheduler/job-runner';
import { fileLedgerHours } from '#scheduler/jobs/file-ledger-hours';
import { finaliseBilling } from '#scheduler/jobs/finalise-billing';
import { SchedulerMetrics } from '#scheduler/scheduler-metrics';
import { readWatermark } from '#scheduler/watermark/read-watermark';
import { WatermarkMetrics } from '#scheduler/watermark/watermark-metrics';
import { watermarkWorker } from '#scheduler/workers/watermark';
import type { MonthEndExchange } from './exchange.ts';

const RENDER_WINDOW_MS = 3_600_000;
const LOOK_EVERY_MS = 1_000;

/**
 * The scheduler of the exchange in one long term, with the jobs and the worker that a month's end needs. Dates come by
 * the log's clock. A term by leases would end each time that this clock is moved.
 */
export class Schedule {
  readonly #exchange: MonthEndExchange;
  readonly #runner: JobRunner;
  readonly #jobs: readonly Job[];
  readonly #over = new AbortController();
  readonly #looking: NodeJS.Timeout;
  readonly #worker: { close(): Promise<void> };
  /** Statements that were frozen by asks of this scheduler. */
  frozen = 0;
  /** The longest ask for a statement. */
  longestAskMs = 0;
  /**
   * The longest time for which the books were not known to be complete, since it was last set to 0; by the machine's
   * clock.
   */
  longestLagMs = 0;

  constructor(exchange: MonthEndExchange) {
    this.#exchange = exchange;
    const { sender, store, log, logger, clock: logClock } = exchange;
    const registry = new Registry();
    const clock = systemClock;
    const messenger: typeof sender.messenger = {
      tell: (...message) => sender.messenger.tell(...message),
      ask: async (kind, ...message) => {
        const sinceMs = performance.now();
        const reply = await sender.messenger.ask(kind, ...message);
        if (kind.kind === statement.kind) this.#noteFrozen(performance.now() - sinceMs);
        return reply;
      },
    };
    const barrier = { log: log.log, leases: log.leases, clock };
    this.#jobs = [
      fileLedgerHours({
        ...{ store, messenger, passBarrier: (signal) => passBarrier({ ...barrier, signal }) },
        figures: { hoursFiled: () => {} },
      }),
      finaliseBilling({ store, messenger, logger }),
    ];
    const term = { number: 1, over: this.#over.signal, nowMs: () => logClock.nowMs };
    const metrics = new SchedulerMetrics(registry);
    const watermarkMetrics = new WatermarkMetrics(registry);
    this.#runner = new JobRunner(this.#jobs, term, { messenger, clock, random: systemRandom, logger, metrics });
    const lag = registry.getSingleMetric('books_watermark_lag_seconds')!;
    this.#looking = setInterval(() => {
      for (const { name } of this.#jobs) this.#runner.onTimer(name);
      void lag.get().then(({ values }) => {
        this.longestLagMs = Math.max(this.longestLagMs, (values[0]?.value ?? 0) * 1_000);
      });
    }, LOOK_EVERY_MS);
    this.#worker = watermarkWorker({
      ...{ messenger, store, clock, logger, metrics: watermarkMetrics },
      renderWindowMs: RENDER_WINDOW_MS,
      passBarrier: (signal, onWaiting) => passBarrier({ ...barrier, signal, onWaiting }),
    }).start();
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

  async close(): Promise<void> {
    clearInterval(this.#looking);
    this.#over.abort(new Error('the schedule is over'));
    await Promise.all([this.#runner.whenIdle(), this.#worker.close()]);
  }

  #noteFrozen(tookMs: number): void {
    this.frozen += 1;
    this.longestAskMs = Math.max(this.longestAskMs, tookMs);
  }
}
