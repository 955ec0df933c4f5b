import type { Registry } from 'prom-client';
import { AD_ENDPOINTS, type AdEndpoint, type AdRequestObserver } from '../../gateways/edge/http/ad-request-observer.ts';
import { counterAtScrape } from './at-scrape.ts';
import type { DurationBuckets } from './duration-buckets.ts';
import { DurationHistogram } from './duration-histogram.ts';

/** A bidder has 150 ms at most by default, and an auction 300: most bounds lie around these. */
const AUCTION_BOUNDS_MS = [1, 2.5, 5, 10, 25, 50, 75, 100, 150, 200, 300, 500, 1_000];

/** Exports what ad requests were answered with, and how long each took. */
export function adRequestMetrics(registry: Registry): AdRequestObserver {
  const seconds = new DurationHistogram(registry, {
    name: 'exchange_ad_request_seconds',
    help: 'Time from the head of an ad request to its answer, those that were shed unread left out',
    labelNames: ['endpoint'],
    boundsMs: AUCTION_BOUNDS_MS,
  });
  const byEndpoint = Object.fromEntries(
    AD_ENDPOINTS.map((endpoint) => [endpoint, { answers: new Map<number, number>(), took: seconds.of(endpoint) }]),
  ) as Record<AdEndpoint, { readonly answers: Map<number, number>; readonly took: DurationBuckets }>;
  counterAtScrape(
    registry,
    {
      name: 'exchange_ad_requests_total',
      help: 'Ad requests by endpoint and HTTP status of the answer, those that were shed unread (503) included',
      labelNames: ['endpoint', 'code'],
    },
    (note) => {
      for (const [endpoint, { answers }] of Object.entries(byEndpoint))
        for (const [status, times] of answers) note({ endpoint, code: String(status) }, times);
    },
  );
  return {
    answered(endpoint, status, ms) {
      const { answers, took } = byEndpoint[endpoint];
      answers.set(status, (answers.get(status) ?? 0) + 1);
      if (ms !== null) took.observe(ms);
    },
  };
}

/** Exports how long auctions took, from the request's arrival to the decision. */
export function auctionMetrics(registry: Registry): (tookMs: number, sandbox: boolean) => void {
  const seconds = new DurationHistogram(registry, {
    name: 'exchange_auction_seconds',
    help: 'Time from the arrival of an ad request to the decision of its auction',
    labelNames: ['environment'],
    boundsMs: AUCTION_BOUNDS_MS,
  });
  const [live, sandboxed] = [seconds.of('live'), seconds.of('sandbox')];
  return (tookMs, sandbox) => (sandbox ? sandboxed : live).observe(tookMs);
}
