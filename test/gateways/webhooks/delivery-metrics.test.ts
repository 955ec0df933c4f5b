import { expect } from 'chai';
import { Registry } from 'prom-client';
import { SERVERS_WITHIN_MS } from '#gateways/operations-deadlines';
import { type Backlog, DeliveryMetrics } from '#gateways/webhooks/delivery-metrics';
import { FakeTimer } from '#test/async/fake-timer';

describe('gateways/webhooks/delivery-metrics', () => {
  it('leave out what waits while the store hangs, and hold up no other metric', async () => {
    const registry = new Registry();
    const timer = new FakeTimer();
    const metrics = new DeliveryMetrics(registry, timer);
    const reads: ((backlog: Backlog) => void)[] = [];
    metrics.watch(() => new Promise((resolve) => reads.push(resolve)));
    metrics.made({ atMs: 0, latencyMs: 20, httpStatus: 200, error: null });
    const scrape = (then: () => void) => {
      const text = registry.metrics();
      then();
      return text;
    };
    for (const _ of [1, 2]) {
      const text = await scrape(() => timer.pass(SERVERS_WITHIN_MS));
      expect(text).to.contain('\nwebhook_attempts_total{outcome="acknowledged"} 1\n');
      expect(text).not.to.match(/^webhook_(queues_open|overdue_seconds) /m);
    }
    expect(reads, 'one read is under way, however many scrapes wait for it').to.have.length(1);
    const text = await scrape(() => reads[0]!({ webhooks: 2, overdueMs: 3_000 }));
    expect(text).to.contain('\nwebhook_queues_open 2\n').and.contain('\nwebhook_overdue_seconds 3\n');
  });
});
