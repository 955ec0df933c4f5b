import { Counter, Histogram, type Registry } from 'prom-client';
import type { DeliveryAttempt } from '../../actors/webhook-queue/messages.ts';

/** The Prometheus metrics of webhook deliveries; only the process that makes deliveries has them. */
export class DeliveryMetrics {
  readonly #attempts: Counter<'outcome'>;
  readonly #seconds: Histogram;

  constructor(registry: Registry) {
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
  }

  made({ error, latencyMs }: DeliveryAttempt): void {
    this.#attempts.inc({ outcome: error === null ? 'acknowledged' : 'failed' });
    this.#seconds.observe(latencyMs / 1000);
  }
}
