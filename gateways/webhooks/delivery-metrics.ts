import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { DeliveryAttempt } from '../../actors/webhook-queue/messages.ts';
import { inTime } from '../../async/in-time.ts';
import { systemTimer, type Timer } from '../../async/pause.ts';
import { SingleFlight } from '../../async/single-flight.ts';
import { SERVERS_WITHIN_MS } from '../operations-deadlines.ts';

/** What waits to be delivered. */
export interface Backlog {
  /** Webhooks with deliveries that are open. */
  readonly webhooks: number;
  /** For how long the most overdue delivery has been due, ms; 0 when none is. */
  readonly overdueMs: number;
}

/** The Prometheus metrics of webhook deliveries; only the process that makes deliveries has them. */
export class DeliveryMetrics {
  readonly #attempts: Counter<'outcome'>;
  readonly #seconds: Histogram;
  #readBacklog: (() => Promise<Backlog>) | null = null;

  constructor(registry: Registry, timer: Timer = systemTimer) {
    const registers = [registry];
    this.#attempts = new Counter({
      name: 'webhook_attempts_total',
      help: 'POSTs to webhooks, by whether they were acknowledged',
      labelNames: ['outcome'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'webhook_attempt_seconds',
      help: 'How long webhooks took to answer, or were waited for',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    });
    const reads = new SingleFlight<Backlog | null>();
    const read = async () => (await this.#readBacklog?.()) ?? null;
    /** One read serves the gauges of a scrape; a store that does not answer in time leaves them without a value. */
    const backlog = () => inTime(timer, SERVERS_WITHIN_MS, reads.run(read), null).catch(() => null);
    const gauge = (name: string, help: string, of: (backlog: Backlog) => number) =>
      new Gauge({
        ...{ name, help, registers },
        async collect() {
          const known = await backlog();
          if (known === null) this.remove();
          else this.set(of(known));
        },
      });
    gauge('webhook_queues_open', 'Webhooks with deliveries that wait for an attempt', ({ webhooks }) => webhooks);
    gauge(
      'webhook_overdue_seconds',
      'For how long the most overdue delivery has waited for an attempt that is due',
      ({ overdueMs }) => overdueMs / 1000,
    );
  }

  /** Sets what reads the backlog at a scrape; null while another process makes deliveries. */
  watch(readBacklog: (() => Promise<Backlog>) | null): void {
    this.#readBacklog = readBacklog;
  }

  made({ error, latencyMs }: DeliveryAttempt): void {
    this.#attempts.inc({ outcome: error === null ? 'acknowledged' : 'failed' });
    this.#seconds.observe(latencyMs / 1000);
  }
}
