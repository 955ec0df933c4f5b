import { Counter, Gauge, type Registry } from 'prom-client';

/** What the books say of themselves, in Prometheus' terms; only in the process that keeps them. */
export class BooksMetrics {
  readonly settledSlots: Counter;
  #lagMs: (() => number) | null = null;

  constructor(registry: Registry) {
    const registers = [registry];
    this.settledSlots = new Counter({
      name: 'budget_slots_settled_total',
      help: 'Budget slots of which the ledgers have said the last word',
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

  /** From now on the lag is this, in ms; null while another process keeps the books. */
  measure(lagMs: (() => number) | null): void {
    this.#lagMs = lagMs;
  }
}
