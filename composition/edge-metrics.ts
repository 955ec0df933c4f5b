import { Counter, Gauge, type Registry } from 'prom-client';
import type { CreativeSightings } from '../edge/creatives/creative-sightings.ts';
import type { FactObserver } from '../edge/facts/fact-counters.ts';
import type { AuctionRecorder } from '../edge/recording/auction-recorder.ts';
import type { WinFeed } from '../edge/win-feed.ts';
import type { Notices } from '../gateways/bidders/notices/notices.ts';
import type { Edge } from '../gateways/edge/edge.ts';

/**
 * Exports the counts of an edge to Prometheus, so that an operator sees auctions, bids and the reason of each loss as
 * they happen: `exchange_platform_total{fact}` and, for each demand source, `exchange_dsp_total{dsp,fact}`. A fact with
 * a reason is named `fact/reason`.
 */
export function edgeMetrics(registry: Registry, notices: Notices): (sandbox: boolean) => FactObserver {
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
    // The counts of the platform include those of the publishers.
    if (scope === 'publisher') return;
    for (const [fact, times] of counts) {
      if (scope === 'dsp') dsps.inc({ dsp: whose, fact, environment: environment(sandbox) }, times);
      else platform.inc({ fact, environment: environment(sandbox) }, times);
    }
  };
}

/** Exports the number of auctions that this edge has recorded, and of records lost because the log was slow or away. */
export function explorerMetrics(registry: Registry, explorer: Pick<AuctionRecorder, 'recorded' | 'dropped'>): void {
  new Gauge({
    name: 'exchange_auction_records',
    help: 'Sampled auctions of this edge, by what became of their record',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.set({ outcome: 'recorded' }, explorer.recorded);
      this.set({ outcome: 'dropped' }, explorer.dropped);
    },
  });
}

/** Exports how many creatives this edge has still to tell of, and how many sales and refusals no creative was told of. */
export function creativeMetrics(registry: Registry, sightings: Pick<CreativeSightings, 'waiting' | 'dropped'>): void {
  new Gauge({
    name: 'exchange_creative_sightings',
    help: 'Creatives that this edge has still to tell of, and sales and refusals that no creative was told of',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.set({ outcome: 'waiting' }, sightings.waiting);
      this.set({ outcome: 'dropped' }, sightings.dropped);
    },
  });
}

/** Exports the number of wins that are missing in their feeds. */
export function feedMetrics(registry: Registry, wins: Pick<WinFeed, 'dropped'>): void {
  new Gauge({
    name: 'exchange_feed_wins_dropped',
    help: 'Wins of this edge that no feed was told of: the log was away for too long, or there were too many meanwhile',
    registers: [registry],
    collect() {
      this.set(wins.dropped);
    },
  });
}

/** Exports the number of ad requests that this edge refused because more came than it can serve. */
export function shedMetrics(registry: Registry, edge: Pick<Edge, 'shedRequests'>): void {
  new Gauge({
    name: 'exchange_requests_shed',
    help: 'Ad requests that this edge answered 503, unread, because more came than it can serve in time',
    registers: [registry],
    collect() {
      this.set(edge.shedRequests);
    },
  });
}
