import { Counter, Gauge, type Registry } from 'prom-client';

/** The metrics of log-level data for Prometheus; only the process that writes it moves them. */
export class LogLevelMetrics {
  /** `complete`: rows and ledgers agree; `incomplete`: written although they do not; `held`: not written, since. */
  readonly hours: Counter<'outcome'>;
  readonly rows: Counter<'event'>;
  readonly bytes: Counter;
  #lagMs: number | null = null;

  constructor(registry: Registry) {
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
    const lagMs = () => this.#lagMs;
    new Gauge({
      name: 'exchange_log_level_lag_seconds',
      help: 'Seconds since the end of the oldest hour of log-level data that is over and not written, when it was last looked; 0 when there is none',
      registers,
      collect() {
        const measured = lagMs();
        if (measured === null) this.remove();
        else this.set(measured / 1000);
      },
    });
  }

  setLag(lagMs: number): void {
    this.#lagMs = lagMs;
  }
}
