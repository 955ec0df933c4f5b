import type { LossReason } from '../../../exchange/auction/loss-reason.ts';
import { centsOf } from '../../../exchange/money/cents.ts';
import { countOf, type LedgerSum } from './ledger-sum.ts';

/** How often something had this reason. */
export interface ReasonCount {
  readonly reason: string;
  readonly count: number;
}

/** A step at which some went no further: how many, and why. */
export interface FunnelLoss {
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
  readonly filtered: FunnelLoss;
  readonly sent: number;
  readonly answered: number;
  /** Why delegates did not bid; bidders do not say. */
  readonly noBids: number;
  readonly keptBack: FunnelLoss;
  readonly timedOut: number;
  readonly errors: FunnelLoss;
  readonly bids: number;
  readonly invalid: FunnelLoss;
  readonly valid: number;
  readonly won: number;
  readonly lost: FunnelLoss;
  readonly rendered: number;
  readonly spendCents: number;
}

/** Bids that could have won lost for these; every other bid that did not win was no valid one. */
const COMPETITIVE_REASONS: ReadonlySet<string> = new Set<LossReason>([
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
  const filtered = lossByReason(sum, 'notCalled');
  const sent = countOf(sum, 'bidRequests');
  const invalid = lossByReason(sum, 'losses', (reason) => !COMPETITIVE_REASONS.has(reason));
  const bids = countOf(sum, 'bids');
  return {
    available: filtered.total + sent,
    filtered,
    sent,
    answered: countOf(sum, 'offers'),
    noBids: countOf(sum, 'noBids'),
    keptBack: lossByReason(sum, 'keptBack'),
    timedOut: countOf(sum, 'timeouts'),
    errors: lossByReason(sum, 'errors'),
    bids,
    invalid,
    valid: bids - invalid.total,
    won: countOf(sum, 'wins'),
    lost: lossByReason(sum, 'losses', (reason) => COMPETITIVE_REASONS.has(reason)),
    rendered: sum.impressions,
    spendCents: centsOf(sum.grossNanos),
  };
}

/** Of all that was counted as `<name>/<reason>`. */
export function lossByReason(
  { counts }: LedgerSum,
  name: string,
  wanted: (reason: string) => boolean = () => true,
): FunnelLoss {
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
