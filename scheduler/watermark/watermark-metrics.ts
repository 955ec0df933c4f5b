import { Counter, Gauge, type Registry } from 'prom-client';

/** The metrics of the books for Prometheus; only the process that keeps the watermark exports them. */
export class WatermarkMetrics {
  readonly settledWindows: Counter;
  /** Nano-dollars that limited budgets were billed beyond their leases. */
  readonly beyondLeasesNanos: Counter;
  #lagMs: (() => number) | null = null;

  constructor(registry: Registry) {
    const registers = [registry];
    this.settledWindows = new Counter({
      name: 'budget_slots_settled_total',
      help: 'Budget slots of which the ledgers have said the last word',
      registers,
    });
    this.beyondLeasesNanos = new Counter({
      name: 'budget_billed_beyond_leases_nanos_total',
      help: 'Nano-dollars that were billed of limited budgets and had never been leased to an edge: more than 0 says that a tracking key has leaked',
      registers,
    });
    const lagMs = () => this.#lagMs;
    new Gauge({
      name: 'books_watermark_lag_seconds',
      help: 'For how long it has not been seen that all ledgers are complete',
      registers,
      collect() {
        const measure = lagMs();
        if (measure === null) this.remove();
        else this.set(measure() / 1000);
      },
    });
  }

  /** Sets the function that returns the lag in ms; null while another process keeps the watermark. */
  measure(lagMs: (() => number) | null): void {
    this.#lagMs = lagMs;
  }
}
