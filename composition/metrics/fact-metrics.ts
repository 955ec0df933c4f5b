import { Counter, type Registry } from 'prom-client';
import type { FactObserver } from '../../edge/facts/fact-counters.ts';
import { BoundedNames, type DspLabel } from './bounded-names.ts';

/** One kind of fact as a metric. `by` is the label of what follows the slash in the fact's name. */
interface FactMetric {
  readonly name: string;
  readonly help: string;
  readonly by?: 'reason' | 'outcome' | 'event';
  /** Counts that alerts ask for, by reason, outcome or event: they are exported as 0 before anything is counted. */
  readonly zero?: readonly string[];
}

const ENVIRONMENTS = ['live', 'sandbox'] as const;

/** Facts of the platform. `bidRequests` is the sum of those of demand sources, and has no metric of its own. */
const OF_PLATFORM: Readonly<Record<string, FactMetric>> = {
  auctions: { name: 'exchange_auctions_total', help: 'Ad requests that reached an auction', zero: [''] },
  imps: { name: 'exchange_auctioned_imps_total', help: 'Imps that were auctioned' },
  filledImps: { name: 'exchange_filled_imps_total', help: 'Imps that got at least one ad' },
  callerTimeouts: {
    name: 'exchange_caller_timeouts_total',
    help: 'Imps whose caller, a page with the adapter for Prebid.js, did not wait for the answer',
  },
  blocked: {
    name: 'exchange_blocked_requests_total',
    help: 'Ad requests that were answered with 403, by reason',
    by: 'reason',
  },
  privacy: {
    name: 'exchange_privacy_withheld_requests_total',
    help: 'Ad requests of which something about the viewer was withheld from bidders, by each reason',
    by: 'reason',
  },
  impressionCalls: {
    name: 'exchange_impression_calls_total',
    help: 'Calls of tracking pixels, by outcome; only billed and replayed-billed move money',
    by: 'outcome',
    zero: ['refused', 'replayed-too-late'],
  },
  views: {
    name: 'exchange_viewability_events_total',
    help: 'Impressions that a tag found measurable, and viewable',
    by: 'event',
  },
  viewCalls: {
    name: 'exchange_uncounted_view_calls_total',
    help: 'Calls of the view beacon that did not count, by reason',
    by: 'reason',
  },
};

const OF_DSP: Readonly<Record<string, FactMetric>> = {
  bidRequests: {
    name: 'exchange_dsp_bid_requests_total',
    help: 'Bid requests sent to a demand source, and evaluations of a delegate',
  },
  offers: { name: 'exchange_dsp_offers_total', help: 'Answers with a bid' },
  noBids: { name: 'exchange_dsp_no_bids_total', help: 'Answers without a bid' },
  timeouts: { name: 'exchange_dsp_timeouts_total', help: 'Bid requests that were not answered in time' },
  bids: { name: 'exchange_dsp_bids_total', help: 'Bids received, losing ones included' },
  wins: { name: 'exchange_dsp_wins_total', help: 'Bids that won' },
  unknownTaxonomy: {
    name: 'exchange_dsp_unknown_taxonomy_bids_total',
    help: 'Bids whose categories are of an unknown taxonomy; all other checks applied to them',
  },
  keptBack: {
    name: 'exchange_dsp_kept_back_total',
    help: 'Evaluations of a delegate without a bid, by what kept its campaigns back',
    by: 'reason',
  },
  errors: { name: 'exchange_dsp_errors_total', help: 'Answers that could not be used, by reason', by: 'reason' },
  losses: { name: 'exchange_dsp_losses_total', help: 'Bids that did not win, by reason', by: 'reason' },
  notCalled: {
    name: 'exchange_dsp_not_called_total',
    help: 'Auctions in which a demand source was a candidate and was not called, by reason',
    by: 'reason',
  },
  userSyncs: { name: 'exchange_dsp_user_syncs_total', help: 'Cookie syncs, by outcome', by: 'outcome' },
  views: {
    name: 'exchange_dsp_viewability_events_total',
    help: 'Impressions of a demand source that a tag found measurable, and viewable',
    by: 'event',
  },
};

/** Bound of the values of a reason, outcome or event. The program has about a hundred in all. */
const MOST_REASONS = 64;

type Label = 'environment' | 'dsp' | 'reason' | 'outcome' | 'event';

/**
 * Exports the counts of an edge, so that an operator sees auctions, bids and the reason of each loss as they happen.
 * `dspLabel` bounds the names of demand sources.
 */
export function factMetrics(registry: Registry, dspLabel: DspLabel): (sandbox: boolean) => FactObserver {
  const platform = countersOf(registry, OF_PLATFORM, ['environment']);
  const dsps = countersOf(registry, OF_DSP, ['dsp', 'environment']);
  return (sandbox) => (scope, whose, counts) => {
    // The counts of the platform include those of the publishers.
    if (scope === 'publisher') return;
    const environment = sandbox ? 'sandbox' : 'live';
    const labels = scope === 'dsp' ? { dsp: dspLabel(whose, sandbox), environment } : { environment };
    const counters = scope === 'dsp' ? dsps : platform;
    for (const [fact, times] of counts) {
      const slash = fact.indexOf('/');
      const counted = counters.get(slash === -1 ? fact : fact.slice(0, slash));
      if (counted === undefined) continue;
      const { counter, by, values } = counted;
      counter.inc(by === undefined ? labels : { ...labels, [by]: values.of(fact.slice(slash + 1)) }, times);
    }
  };
}

interface FactCounter {
  readonly counter: Counter<Label>;
  readonly by: FactMetric['by'];
  readonly values: BoundedNames;
}

function countersOf(
  registry: Registry,
  facts: Readonly<Record<string, FactMetric>>,
  labels: readonly Label[],
): ReadonlyMap<string, FactCounter> {
  return new Map(
    Object.entries(facts).map(([fact, { name, help, by, zero = [] }]) => {
      const labelNames = by === undefined ? [...labels] : [...labels, by];
      const counter = new Counter<Label>({ name, help, labelNames, registers: [registry] });
      const values = new BoundedNames(MOST_REASONS);
      for (const environment of ENVIRONMENTS)
        for (const value of zero)
          counter.inc(by === undefined ? { environment } : { environment, [by]: values.of(value) }, 0);
      return [fact, { counter, by, values }];
    }),
  );
}
