import { Counter, Gauge, type Registry } from 'prom-client';
import type { Clock } from '#runtime/ports/clock';

/** The metrics of log-level data for Prometheus; only the process that writes it moves them. */
export class LogLevelMetrics {
  /** `complete`: rows and ledgers agree; `incomplete`: written although they do not; `held`: not written, since. */
  readonly hours: Counter<'outcome'>;
  readonly rows: Counter<'event'>;
  readonly bytes: Counter;
  #waitsSinceMs: number | null = null;

  /** `clock`: the lag is as of each scrape, so that it grows while nothing is written. */
  constructor(registry: Registry, clock: Pick<Clock, 'now'>) {
    const registers = [registry];
    this.hours = new Counter({
      name: 'exchange_log_level_outcomes_total',
      help: 'Hours of log-level data, by what became of them: complete, incomplete (written with a difference from the ledgers), held (not written because of one)',
      labelNames: ['outcome'],
      registers,
    });
    for (const outcome of ['complete', 'incomplete', 'held']) this.hours.inc({ outcome }, 0);
    this.rows = new Counter({
      name: 'exchange_log_level_rows_total',
      help: 'Rows of log-level data written, by event; each event has a row for either side',
      labelNames: ['event'],
      registers,
    });
    this.bytes = new Counter({
      name: 'exchange_log_level_bytes_total',
      help: 'Compressed bytes of log-level data written',
      registers,
    });
    const waitsSinceMs = () => this.#waitsSinceMs;
    new Gauge({
      name: 'exchange_log_level_lag_seconds',
      help: 'Seconds since the end of the oldest hour of log-level data that is over and not written; 0 when there is none; told by the leader',
      registers,
      collect() {
        const sinceMs = waitsSinceMs();
        if (sinceMs === null) this.remove();
        else this.set(Math.max(0, clock.now() - sinceMs) / 1000);
      },
    });
  }

  /** `sinceMs`: the end of the oldest hour that is not written, ms since the epoch; in the future where none waits. */
  waitsSince(sinceMs: number): void {
    this.#waitsSinceMs = sinceMs;
  }

  /**
   * Like {@link waitsSince}, unless something is known already: a run that failed has seen only a part of the hours.
   */
  waitsAtLeastSince(sinceMs: number): void {
    this.#waitsSinceMs ??= sinceMs;
  }

  /** The process is no longer the leader, and learns nothing of what is written. */
  forget(): void {
    this.#waitsSinceMs = null;
  }
}
