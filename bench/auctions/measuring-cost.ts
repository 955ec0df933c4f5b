import { Histogram, Registry } from 'prom-client';
import { adRequestMetrics, auctionMetrics } from '../../composition/metrics/ad-request-metrics.ts';
import { bidderCallMetrics } from '../../composition/metrics/bidder-metrics.ts';
import { makeDspProjection } from '../../test/support/dsp-projection.ts';
import { type Row, times } from '../row.ts';
import { median } from '../statistics.ts';

const BIDDERS = 5;
const AUCTIONS = 300_000;
const ROUNDS = 7;
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 1];

/**
 * Processor time that the metrics of one auction of five bidders take: request, auction and five calls, the clock that
 * is read for them included. The floor observes the same durations with the client library's histogram.
 */
export function measuringCost(targetNanos: number): Row {
  const registry = new Registry();
  const adRequests = adRequestMetrics(registry);
  const auction = auctionMetrics(registry);
  const call = bidderCallMetrics(registry, (dsp) => dsp).begin(makeDspProjection({ endpointUrl: null }));
  const seconds = new Histogram({
    name: 'a_seconds',
    help: 'a',
    labelNames: ['of'],
    buckets: BUCKETS,
    registers: [registry],
  });
  const latencies = Array.from({ length: 1024 }, (_, index) => (index * 37) % 150);
  const nanosOf = (measure: (ms: number) => void): number => {
    const startedMs = performance.now();
    for (let index = 0; index < AUCTIONS; index++) measure(latencies[index & 1023]!);
    return ((performance.now() - startedMs) * 1e6) / AUCTIONS;
  };
  const ours = (ms: number): void => {
    const startedMs = performance.now();
    auction(ms, false);
    for (let bidder = 0; bidder < BIDDERS; bidder++) call('answered', ms);
    adRequests.answered('rtb', 200, performance.now() - startedMs);
  };
  const library = (ms: number): void => {
    const startedMs = performance.now();
    seconds.observe({ of: 'auction' }, ms / 1000);
    for (let bidder = 0; bidder < BIDDERS; bidder++) seconds.observe({ of: 'answered' }, ms / 1000);
    seconds.observe({ of: 'rtb' }, (performance.now() - startedMs) / 1000);
  };
  const [figures, floors]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    figures.push(nanosOf(ours));
    floors.push(nanosOf(library));
  }
  const nanos = median(figures);
  return {
    what: `CPU of an auction's metrics, ${BIDDERS} bidders; floor: the client library's histogram`,
    figure: `${nanos.toFixed(0)} ns`,
    floor: `${median(floors).toFixed(0)} ns`,
    ratio: times(nanos / median(floors)),
    target: `≤ ${targetNanos} ns`,
    reached: nanos <= targetNanos,
  };
}
