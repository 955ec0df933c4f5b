import { centsOf } from '#exchange/money/cents';
import { type FunnelLoss, lossByReason } from './demand-funnel.ts';
import { countOf, type LedgerSum } from './ledger-sum.ts';

/**
 * The funnel of a publisher's ad requests: `requests` = `blocked` + `auctions`, `imps` = `filled` + `unfilled`.
 * `rendered` belongs to the ledger's own day and minute, and counts ads: those of a pod share an imp.
 */
export interface SupplyFunnel {
  readonly requests: number;
  readonly blocked: FunnelLoss;
  readonly auctions: number;
  readonly imps: number;
  readonly filled: number;
  readonly unfilled: number;
  /** Imps whose answer came too late, as callers report it; not verified. */
  readonly callerTimeouts: number;
  readonly rendered: number;
  readonly revenueCents: number;
}

export function supplyFunnel(sum: LedgerSum): SupplyFunnel {
  const blocked = lossByReason(sum, 'blocked');
  const auctions = countOf(sum, 'auctions');
  const imps = countOf(sum, 'imps');
  const filled = countOf(sum, 'filledImps');
  return {
    requests: blocked.total + auctions,
    blocked,
    auctions,
    imps,
    filled,
    unfilled: imps - filled,
    callerTimeouts: countOf(sum, 'callerTimeouts'),
    rendered: sum.impressions,
    revenueCents: centsOf(sum.grossNanos - sum.feeNanos),
  };
}
