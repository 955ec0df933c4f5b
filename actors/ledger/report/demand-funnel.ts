import type { LossReason } from '../../../exchange/auction/loss-reason.ts';
import { centsOf } from '../../../exchange/money/cents.ts';
import { countOf, type LedgerSum } from './ledger-sum.ts';

/** How often something had this reason. */
export interface ReasonCount {
  readonly reason: string;
  readonly count: number;
}

/** A step at which some went no further: how many, and why. */
export interface Loss {
  readonly total: number;
  /** The most frequent first. They add up to the total. */
  readonly reasons: readonly ReasonCount[];
}

/**
 * What became of the auctions that a demand source could have taken part in. These hold of any period and region, once what
 * edges have counted has come in:
 *
 * - `available` = `filtered` + `sent`
 * - `sent` = `answered` + `noBids` + `timedOut` + `errors`
 * - `bids` = `invalid` + `valid`
 * - `valid` = `won` + `lost`
 *
 * `rendered` is of the ledger's own day and minute, so a win of a little before may be rendered in it.
 */
export interface DemandFunnel {
  readonly available: number;
  readonly filtered: Loss;
  readonly sent: number;
  readonly answered: number;
  /** Why delegates did not bid; bidders do not say. */
  readonly noBids: number;
  readonly keptBack: Loss;
  readonly timedOut: number;
  readonly errors: Loss;
  readonly bids: number;
  readonly invalid: Loss;
  readonly valid: number;
  readonly won: number;
  readonly lost: Loss;
  readonly rendered: number;
  readonly spendCents: number;
}

/** Bids that could have won lost for these; every other bid that did not win was no valid one. */
const LOST_BY: ReadonlySet<string> = new Set<LossReason>([
  'below-floor',
  'below-deal-floor',
  'lost-to-higher-bid',
  'competitive-separation',
  'frequency-cap-reached',
  'out-of-budget',
  'publisher-share',
  'auction-expired',
  'group-not-won',
]);

export function demandFunnel(sum: LedgerSum): DemandFunnel {
  const filtered = lossBy(sum, 'notCalled');
  const sent = countOf(sum, 'bidRequests');
  const invalid = lossBy(sum, 'losses', (reason) => !LOST_BY.has(reason));
  const bids = countOf(sum, 'bids');
  return {
    available: filtered.total + sent,
    filtered,
    sent,
    answered: countOf(sum, 'offers'),
    noBids: countOf(sum, 'noBids'),
    keptBack: lossBy(sum, 'keptBack'),
    timedOut: countOf(sum, 'timeouts'),
    errors: lossBy(sum, 'errors'),
    bids,
    invalid,
    valid: bids - invalid.total,
    won: countOf(sum, 'wins'),
    lost: lossBy(sum, 'losses', (reason) => LOST_BY.has(reason)),
    rendered: sum.impressions,
    spendCents: centsOf(sum.grossNanos),
  };
}

/** Of all that was counted as `<name>/<reason>`. */
export function lossBy({ counts }: LedgerSum, name: string, wanted: (reason: string) => boolean = () => true): Loss {
  const prefix = `${name}/`;
  const reasons: ReasonCount[] = [];
  let total = 0;
  for (const [counted, count] of counts) {
    if (!counted.startsWith(prefix)) continue;
    const reason = counted.slice(prefix.length);
    if (!wanted(reason)) continue;
    reasons.push({ reason, count });
    total += count;
  }
  return { total, reasons: reasons.sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)) };
}
