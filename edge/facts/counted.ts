import type { FactCounts } from '../../actors/ledger/messages.ts';

/** Counts of bids and wins, and of measurable and viewable impressions, with one counterparty or of one creative. */
export interface BidCounts {
  bids: number;
  wins: number;
  measurable: number;
  viewable: number;
}

export function noBidCounts(): BidCounts {
  return { bids: 0, wins: 0, measurable: 0, viewable: 0 };
}

/** Counts that were taken from the counters, on their way to one ledger. */
export interface FactDelta {
  readonly counts: Map<string, number>;
  readonly counterparties: Map<string, BidCounts>;
  readonly creatives: Map<string, BidCounts>;
  readonly latency: Map<number, number>;
}

export function emptyDelta(): FactDelta {
  return {
    counts: new Map(),
    counterparties: new Map(),
    creatives: new Map(),
    latency: new Map(),
  };
}

export function isEmptyDelta(counted: FactDelta): boolean {
  return (
    counted.counts.size === 0 &&
    counted.latency.size === 0 &&
    counted.counterparties.size === 0 &&
    counted.creatives.size === 0
  );
}

export function addCount<K>(counts: Map<K, number>, name: K, times: number): void {
  if (times > 0) counts.set(name, (counts.get(name) ?? 0) + times);
}

/** Adds `more` to `sum` in place. */
export function addDelta(sum: FactDelta, more: FactDelta): void {
  for (const [name, times] of more.counts) addCount(sum.counts, name, times);
  for (const [bin, times] of more.latency) addCount(sum.latency, bin, times);
  addBidCounts(sum.counterparties, more.counterparties);
  addBidCounts(sum.creatives, more.creatives);
}

function addBidCounts(sum: Map<string, BidCounts>, more: ReadonlyMap<string, BidCounts>): void {
  for (const [name, { bids, wins, measurable, viewable }] of more) {
    const counts = { ...(sum.get(name) ?? noBidCounts()) };
    counts.bids += bids;
    counts.wins += wins;
    counts.measurable += measurable;
    counts.viewable += viewable;
    sum.set(name, counts);
  }
}

export function asFactCounts(counted: FactDelta, minuteMs: number, region: string): FactCounts {
  const named = (counts: ReadonlyMap<string, BidCounts>) =>
    [...counts].map(([id, { bids, wins, measurable, viewable }]) => ({
      ...{ id, bids, wins },
      ...(measurable > 0 ? { measurable } : {}),
      ...(viewable > 0 ? { viewable } : {}),
    }));
  return {
    minuteMs,
    region,
    counts: Object.fromEntries(counted.counts),
    counterparties: named(counted.counterparties),
    creatives: named(counted.creatives),
    latency: Object.fromEntries(counted.latency),
  };
}
