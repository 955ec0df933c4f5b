import { utcDay } from '#actors/ledger/ledger-id';
import { monthOf } from '#actors/ledger/report/month';
import type { Member } from '#runtime/simulator/cluster';
import type { MoneyModel } from './money-model.ts';

/** Counts how often a run came into the corners that it is to look into: what is never counted is never tried. */
export class CornerCaseCounts {
  readonly counts = new Map<string, number>();
  deaths = 0;

  count(corner: string, times = 1): void {
    if (times > 0) this.counts.set(corner, (this.counts.get(corner) ?? 0) + times);
  }

  /** A process ends: what it had asked of the servers, and will hear nothing of. */
  death({ hostsActors, log, store, started }: Member): void {
    const who = hostsActors ? 'actors' : 'an edge';
    const calls = new Set([...log.connection.underWay, ...store.connection.underWay]);
    calls.delete('read');
    this.deaths += 1;
    if (!started) this.count(`death of ${who} while it starts`);
    for (const call of calls) this.count(`death of ${who} with ${call} under way`);
    if (calls.size === 0) this.count(`death of ${who} at rest`);
  }

  /** What only the whole of a run shows. */
  sumUp(model: MoneyModel): void {
    for (const [id, { atMs }] of model.invalid) {
      const billed = model.billable.get(id);
      this.count(billed === undefined ? 'invalid and never billed' : 'invalid, then billed');
      if (billed !== undefined && utcDay(billed.atMs) !== utcDay(atMs))
        this.count('billed on another day than invalid');
    }
    const auctions = new Map<string, number[]>();
    for (const { impression, atMs } of model.billable.values()) {
      const instants = auctions.get(impression.auction);
      if (instants) instants.push(atMs);
      else auctions.set(impression.auction, [atMs]);
      const soldAtMs = impression.soldAtMs!;
      if (utcDay(soldAtMs) !== utcDay(atMs)) this.count('billed on another day than sold');
      if (monthOf(soldAtMs) !== monthOf(atMs)) this.count('billed in another month than sold');
      if (soldAtMs > atMs) this.count('billed before it was sold, by skewed clocks');
    }
    for (const [first, second] of auctions.values()) {
      if (second === undefined) continue;
      this.count('two imps of one auction billed');
      if (utcDay(first!) !== utcDay(second)) this.count('two imps of one auction billed on different days');
      if (monthOf(first!) !== monthOf(second)) this.count('two imps of one auction billed in different months');
    }
  }
}
