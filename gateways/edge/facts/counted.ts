import type { FactCounts } from '../../../actors/ledger/messages.ts';

/** Bids and wins with one counterparty, or of one creative. */
export interface Dealings {
  bids: number;
  wins: number;
}

/** Counts taken out of the counters, on their way to one ledger. */
export interface Counted {
  readonly counts: Map<string, number>;
  readonly counterparties: Map<string, Dealings>;
  readonly creatives: Map<string, Dealings>;
  readonly latency: Map<number, number>;
}

export function nothing(): Counted {
  return { counts: new Map(), counterparties: new Map(), creatives: new Map(), latency: new Map() };
}

export function isNothing(counted: Counted): boolean {
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
export function addCounted(sum: Counted, more: Counted): void {
  for (const [name, times] of more.counts) addCount(sum.counts, name, times);
  for (const [bin, times] of more.latency) addCount(sum.latency, bin, times);
  addDealings(sum.counterparties, more.counterparties);
  addDealings(sum.creatives, more.creatives);
}

function addDealings(sum: Map<string, Dealings>, more: ReadonlyMap<string, Dealings>): void {
  for (const [name, { bids, wins }] of more) {
    const dealings = sum.get(name);
    sum.set(name, dealings ? { bids: dealings.bids + bids, wins: dealings.wins + wins } : { bids, wins });
  }
}

export function asFactCounts(counted: Counted, minuteMs: number, region: string): FactCounts {
  const named = (dealings: ReadonlyMap<string, Dealings>) =>
    [...dealings].map(([id, { bids, wins }]) => ({ id, bids, wins }));
  return {
    minuteMs,
    region,
    counts: Object.fromEntries(counted.counts),
    counterparties: named(counted.counterparties),
    creatives: named(counted.creatives),
    latency: Object.fromEntries(counted.latency),
  };
}
