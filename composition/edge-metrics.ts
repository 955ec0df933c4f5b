import { Counter, Gauge, type Registry } from 'prom-client';
import type { Notices } from '../gateways/bidders/notices/notices.ts';
import type { Observe } from '../gateways/edge/facts/books.ts';

/**
 * What an edge counts, in Prometheus' terms, so that an operator sees auctions, bids and the reason of each loss as they
 * happen: `exchange_platform_total{fact}` and, for each demand source, `exchange_dsp_total{dsp,fact}`. A fact with a reason
 * is named `fact/reason`.
 */
export function edgeMetrics(registry: Registry, notices: Notices): (sandbox: boolean) => Observe {
  const registers = [registry];
  const environment = (sandbox: boolean) => (sandbox ? 'sandbox' : 'live');
  const platform = new Counter({
    name: 'exchange_platform_total',
    help: 'What this edge has counted: auctions, imps, filled imps, bid requests, blocked and tracking calls by reason',
    labelNames: ['fact', 'environment'],
    registers,
  });
  const dsps = new Counter({
    name: 'exchange_dsp_total',
    help: 'What this edge has counted of each demand source: requests, bids, wins, timeouts, errors and losses by reason',
    labelNames: ['dsp', 'fact', 'environment'],
    registers,
  });
  new Gauge({
    name: 'exchange_notices',
    help: 'Win, billing and loss notices of this edge, by how they ended',
    labelNames: ['kind', 'outcome'],
    registers,
    collect() {
      for (const [kind, counts] of Object.entries(notices.counts)) {
        for (const [outcome, count] of Object.entries(counts)) this.set({ kind, outcome }, count);
      }
    },
  });
  new Gauge({
    name: 'exchange_notices_retrying',
    help: 'Notices of this edge that failed and wait for another attempt',
    registers,
    collect() {
      this.set(notices.retrying);
    },
  });
  return (sandbox) => (scope, whose, counts) => {
    for (const [fact, times] of counts) {
      if (scope === 'dsp') dsps.inc({ dsp: whose, fact, environment: environment(sandbox) }, times);
      else platform.inc({ fact, environment: environment(sandbox) }, times);
    }
  };
}
