import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { demandFunnel } from '#actors/ledger/report/demand-funnel';
import { type LedgerOwner, PERIODS, reportWindowOf } from '#actors/ledger/report/period';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import type { ManagementDeps } from '../../deps.ts';
import { FunnelReasons, showReasons } from '../funnel-reasons.ts';
import { InvalidTraffic, showInvalidTraffic } from '../invalid-traffic.ts';
import { loadLedgers } from '../metrics/load-ledgers.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const demandFunnelDescription = `From the auctions that the demand source could have taken part in to what it bought. The steps add up:

- \`available\` = \`filtered.total\` + \`sent\`
- \`sent\` = \`answered\` + \`no_bids.total\` + \`timed_out\` + \`errors.total\`
- \`bids\` = \`invalid.total\` + \`valid\`
- \`valid\` = \`won\` + \`lost.total\`

\`rendered\` counts impressions when they are billed: a win of a little before the period may be rendered in it, and a win never has more than one. Everything but \`rendered\` and \`spend_cents\` comes from the edges, each of which may lose its last second when it is killed.`;

/** The funnel of a demand source's auctions, bids and wins, for its owner and for its own key. */
export const demandFunnelFields = {
  dsp_id: Uuid,
  period: Type.Enum([...PERIODS]),
  available: Count('Auctions of the pools that it takes traffic from.'),
  filtered: { ...FunnelReasons, description: 'It was not asked.' },
  sent: Count('Asked, or for a delegate evaluated.'),
  answered: Count('With at least one bid.'),
  no_bids: {
    ...FunnelReasons,
    description: 'Without a bid. Of delegates the reasons add up to the total; bidders do not say why: they have none.',
  },
  timed_out: Count('Not answered in time.'),
  errors: { ...FunnelReasons, description: 'Not reached, or answered with what could not be used.' },
  bids: Count('Received; an answer may have several.'),
  invalid: { ...FunnelReasons, description: 'Bids that could not have won.' },
  valid: Count('Bids that were in the auction.'),
  won: Count('Sold, rendered or not.'),
  lost: { ...FunnelReasons, description: 'Bids that others, floors or limits beat.' },
  rendered: Count('Billed impressions.'),
  invalid_traffic: InvalidTraffic,
  spend_cents: Type.Number({ minimum: 0, description: 'Cents, up to 4 decimals, before the exchange’s fee.' }),
};

/** The figures of a period that ends now, of one region; null: of all regions. */
export async function showDemandFunnel(
  deps: ManagementDeps,
  source: LedgerOwner & { readonly scope: 'dsp' },
  period: (typeof PERIODS)[number],
  region: string | null,
) {
  const nowMs = deps.clock.now();
  const sum = sumLedgers(await loadLedgers(deps, [source], period, nowMs), reportWindowOf(period, nowMs), region);
  const funnel = demandFunnel(sum);
  return {
    dsp_id: source.id,
    period,
    available: funnel.available,
    filtered: showReasons(funnel.filtered),
    sent: funnel.sent,
    answered: funnel.answered,
    no_bids: { ...showReasons(funnel.keptBack), total: funnel.noBids },
    timed_out: funnel.timedOut,
    errors: showReasons(funnel.errors),
    bids: funnel.bids,
    invalid: showReasons(funnel.invalid),
    valid: funnel.valid,
    won: funnel.won,
    lost: showReasons(funnel.lost),
    rendered: funnel.rendered,
    invalid_traffic: showInvalidTraffic(sum.counts),
    spend_cents: funnel.spendCents,
  };
}
