import type { LossReason } from '#exchange/auction/loss-reason';
import { centsOf } from '#exchange/money/cents';
import { countOf, type LedgerSum } from './ledger-sum.ts';

/** The number of times that a reason was counted. */
export interface ReasonCount {
  readonly reason: string;
  readonly count: number;
}

/** A step of the funnel at which some were lost: how many, and why. */
export interface FunnelLoss {
  readonly total: number;
  /** The reasons, most frequent first. They add up to the total. */
  readonly reasons: readonly ReasonCount[];
}

/**
 * The funnel of the auctions that a demand source could have taken part in. These equations hold for any period and
 * region, once the counts of the edges have arrived:
 *
 * - `available` = `filtered` + `sent`
 * - `sent` = `answered` + `noBids` + `timedOut` + `errors`
 * - `bids` = `invalid` + `valid`
 * - `valid` = `won` + `lost`
 *
 * `rendered` belongs to the ledger's own day and minute, so it may include the rendering of an earlier win.
 */
export interface DemandFunnel {
  readonly available: number;
  readonly filtered: FunnelLoss;
  readonly sent: number;
  readonly answered: number;
  /** The reasons why delegates did not bid; bidders give none. */
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

/** The loss reasons of bids that could have won; each other bid that did not win was invalid. */
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

/** The counts of all names `<name>/<reason>`. */
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
