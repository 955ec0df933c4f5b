import type { Registry } from 'prom-client';
import type { Bidder } from '../../gateways/bidders/bidder.ts';
import type { CallObserver } from '../../gateways/bidders/call-observer.ts';
import { counterAtScrape, gaugeAtScrape } from './at-scrape.ts';
import type { DspLabel } from './bounded-names.ts';
import { DurationHistogram } from './duration-histogram.ts';

const CALL_BOUNDS_MS = [1, 2.5, 5, 10, 25, 50, 75, 100, 125, 150, 250, 500];

const STATES = ['closed', 'half_open', 'open'] as const;

/**
 * Exports how long calls of bidders took, by how they ended. Of each bidder there are calls and seconds, whose ratio is
 * its mean; a histogram of each would be a dozen series more.
 */
export function bidderCallMetrics(registry: Registry, dspLabel: DspLabel): CallObserver {
  const seconds = new DurationHistogram(registry, {
    name: 'exchange_bidder_call_seconds',
    help: 'Time from the first byte of a bid request on the wire to the end of its call, by outcome',
    labelNames: ['outcome'],
    boundsMs: CALL_BOUNDS_MS,
  });
  const ofOutcome = {
    answered: seconds.of('answered'),
    no_bid: seconds.of('no_bid'),
    timeout: seconds.of('timeout'),
    failed: seconds.of('failed'),
  };
  const ofBidder = new Map<string, { calls: number; ms: number }>();
  counterAtScrape(
    registry,
    {
      name: 'exchange_dsp_calls_total',
      help: 'Calls of a bidder over the network that have ended',
      labelNames: ['dsp'],
    },
    (note) => {
      for (const [dsp, { calls }] of ofBidder) note({ dsp }, calls);
    },
  );
  counterAtScrape(
    registry,
    {
      name: 'exchange_dsp_call_seconds_total',
      help: 'Seconds that calls of a bidder took together: its rate by that of exchange_dsp_calls_total is their mean',
      labelNames: ['dsp'],
    },
    (note) => {
      for (const [dsp, { ms }] of ofBidder) note({ dsp }, ms / 1000);
    },
  );
  return {
    begin({ id, status }) {
      const dsp = dspLabel(id, status === 'sandbox');
      let sums = ofBidder.get(dsp);
      if (sums === undefined) {
        sums = { calls: 0, ms: 0 };
        ofBidder.set(dsp, sums);
      }
      const its = sums;
      return (end, latencyMs) => {
        ofOutcome[end].observe(latencyMs);
        its.calls++;
        its.ms += latencyMs;
      };
    },
  };
}

/** Exports the state of each bidder's circuit breaker and the calls under way. */
export function bidderMetrics(
  registry: Registry,
  bidders: { all(): Iterable<Pick<Bidder, 'dsp' | 'openCalls' | 'breakerState'>> },
  dspLabel: DspLabel,
): void {
  const labelOf = ({ dsp: { id, status } }: Pick<Bidder, 'dsp'>) => dspLabel(id, status === 'sandbox');
  gaugeAtScrape(
    registry,
    {
      name: 'exchange_bidder_breaker_state',
      help: 'Bidders whose circuit breaker is in the state: 1 or 0 of a bidder with a name, their number of the others',
      labelNames: ['dsp', 'state'],
    },
    (note) => {
      const states = new Map<string, Record<string, number>>();
      for (const bidder of bidders.all()) {
        const dsp = labelOf(bidder);
        const counted = states.get(dsp) ?? Object.fromEntries(STATES.map((state) => [state, 0]));
        states.set(dsp, counted);
        counted[bidder.breakerState()]! += 1;
      }
      for (const [dsp, counted] of states) for (const [state, of] of Object.entries(counted)) note({ dsp, state }, of);
    },
  );
  gaugeAtScrape(
    registry,
    {
      name: 'exchange_bidder_calls_in_flight',
      help: 'Calls of a bidder that have a connection or wait for one',
      labelNames: ['dsp'],
    },
    (note) => {
      const calls = new Map<string, number>();
      for (const bidder of bidders.all()) {
        const dsp = labelOf(bidder);
        calls.set(dsp, (calls.get(dsp) ?? 0) + bidder.openCalls);
      }
      for (const [dsp, of] of calls) note({ dsp }, of);
    },
  );
}
