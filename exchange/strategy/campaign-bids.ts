import { cpmMicros, cpmOf, MAX_CPM } from '../money/price.ts';
import type { BiddingCampaign } from './bidding-campaign.ts';
import type { Rule } from './document/rule.ts';

/** The bid that a campaign makes when this rule is the best of its rules that match. */
export interface CampaignBid {
  /** Null for a campaign without rules, which bids on its targeting alone. */
  readonly rule: Rule | null;
  /** Whole micro-dollars CPM, at most `max_cpm`; with 0 the campaign does not bid. */
  readonly bidCpmMicros: number;
}

/**
 * All bids that a campaign can make, the best first: by the rule's priority, then by the bid, then by the order of
 * rules.
 */
export function campaignBids(of: BiddingCampaign): readonly CampaignBid[] {
  if (of.rules.length === 1) return [{ rule: of.rules[0]!, bidCpmMicros: bidCpmMicrosOf(of.rules[0]!, of) }];
  if (of.rules.length === 0) return [{ rule: null, bidCpmMicros: bidCpmMicrosOf(null, of) }];
  return of.rules
    .map((rule) => ({ rule, bidCpmMicros: bidCpmMicrosOf(rule, of) }))
    .sort((a, b) => (b.rule.priority ?? 0) - (a.rule.priority ?? 0) || b.bidCpmMicros - a.bidCpmMicros);
}

/** USD CPM: `base_cpm`, or the default bid where the campaign has none. */
export function baseCpmOf({ campaign, defaultBidCpm }: BiddingCampaign): number {
  return campaign.bidding?.base_cpm ?? defaultBidCpm;
}

export function describeBid({ rule, bidCpmMicros }: CampaignBid, of: BiddingCampaign): string {
  const maxCpm = maxCpmOf(of);
  const how =
    rule === null
      ? 'The targeting matched'
      : `Rule ${rule.rule_id} matched${rule.bid_multiplier === undefined ? '' : `, ${baseCpmOf(of)} × ${rule.bid_multiplier}`}`;
  const capped = wantedCpmOf(rule, of) > maxCpm ? `, held to max_cpm ${maxCpm}` : '';
  return `${how}${capped}: bid ${cpmOf(bidCpmMicros)} CPM.`;
}

function bidCpmMicrosOf(rule: Rule | null, of: BiddingCampaign): number {
  return cpmMicros(Math.min(wantedCpmOf(rule, of), maxCpmOf(of)));
}

/** The price before bounds and rounding: `bid_cpm`, or base × `bid_multiplier`, or the base. */
function wantedCpmOf(rule: Rule | null, of: BiddingCampaign): number {
  return rule?.bid_cpm ?? baseCpmOf(of) * (rule?.bid_multiplier ?? 1);
}

function maxCpmOf({ campaign }: BiddingCampaign): number {
  return Math.min(campaign.bidding?.max_cpm ?? MAX_CPM, MAX_CPM);
}
