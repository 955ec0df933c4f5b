import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { type LedgerOwner, PERIODS, reportWindowOf } from '#actors/ledger/report/period';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import { supplyFunnel } from '#actors/ledger/report/supply-funnel';
import type { ManagementDeps } from '../../deps.ts';
import { FunnelReasons, showReasons } from '../funnel-reasons.ts';
import { InvalidTraffic, showInvalidTraffic } from '../invalid-traffic.ts';
import { loadLedgers } from '../metrics/load-ledgers.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const supplyFunnelDescription =
  '`requests` = `blocked.total` + `auctions`; `imps` = `filled` + `unfilled`. `rendered` counts impressions when they are billed. Why single auctions were not filled, their records say.';

/** The funnel of a supply source's ad requests, for its owner and for its own key. */
export const supplyFunnelFields = {
  publisher_id: Uuid,
  period: Type.Enum([...PERIODS]),
  requests: Count('Ad requests that could be read.'),
  blocked: { ...FunnelReasons, description: 'Answered 403.' },
  auctions: Count('Requests that reached the auction.'),
  imps: Count('Auctioned; a request may have several.'),
  filled: Count('Answered with an ad.'),
  unfilled: Count('Answered without.'),
  caller_timeouts: Count('Imps whose answer came too late for the page, as its Prebid.js reports it; not verified.'),
  rendered: Count('Billed impressions; ads of a pod share an imp.'),
  invalid_traffic: InvalidTraffic,
  revenue_cents: Type.Number({
    description: "Cents, up to 4 decimals: the payout, gross less the exchange's fee.",
  }),
};

/** The figures of a period that ends now, of one region; null: of all regions. */
export async function showSupplyFunnel(
  deps: ManagementDeps,
  source: LedgerOwner & { readonly scope: 'publisher' },
  period: (typeof PERIODS)[number],
  region: string | null,
) {
  const nowMs = deps.clock.now();
  const sum = sumLedgers(await loadLedgers(deps, [source], period, nowMs), reportWindowOf(period, nowMs), region);
  const { blocked, callerTimeouts, revenueCents, ...funnel } = supplyFunnel(sum);
  return {
    ...{ publisher_id: source.id, period, ...funnel, blocked: showReasons(blocked) },
    caller_timeouts: callerTimeouts,
    invalid_traffic: showInvalidTraffic(sum.counts),
    revenue_cents: revenueCents,
  };
}
