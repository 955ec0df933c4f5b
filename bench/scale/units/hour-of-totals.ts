import type { Totals } from '#actors/ledger/messages';
import type { Market, Parties } from '../market.ts';
import { TARGET } from '../target.ts';
import { Rollup } from './rollup.ts';

/** Totals as a ledger receives them. */
export interface ToldTotals {
  readonly atMs: number;
  readonly totals: Totals;
}

/**
 * What all partitions tell one ledger in an hour, in order: `perSecond` impressions of the same party reach the
 * partitions at random, and each partition that has any tells them at the end of its save turn. `parties` gives what
 * the impressions have in common.
 */
export function hourOfTotals(
  market: Market,
  address: string,
  parties: () => Parties,
  perSecond: number,
  turnSeconds: number,
  hourMs: number,
): ToldTotals[] {
  const rollups = Array.from({ length: TARGET.partitions }, (_, partition) => new Rollup(partition, hourMs));
  const told: ToldTotals[] = [];
  let nextMs = hourMs + market.gapMs(perSecond);
  for (let second = turnSeconds; second <= 3_600; second += turnSeconds) {
    const endMs = hourMs + second * 1_000;
    const changed = new Set<Rollup>();
    for (; nextMs < endMs; nextMs += market.gapMs(perSecond)) {
      const rollup = rollups[market.partition()]!;
      rollup.fold(market.next(nextMs, parties()), nextMs);
      changed.add(rollup);
    }
    for (const rollup of changed) {
      for (const { to, body } of rollup.totals()) {
        if (to === address) told.push({ atMs: endMs, totals: body as Totals });
      }
      rollup.told();
    }
  }
  return told;
}
