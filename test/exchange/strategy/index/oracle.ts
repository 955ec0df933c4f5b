import { cpmMicros } from '#exchange/money/price';
import type { BiddingCampaign } from '#exchange/strategy/bidding-campaign';
import type { Match } from '#exchange/strategy/index/match';
import type { TargetingContext } from '#exchange/strategy/read-field';
import { evaluateCampaigns } from '../naive/evaluate.ts';

export interface Owned {
  readonly owner: string;
  readonly campaign: BiddingCampaign;
}

/** What an index must answer, found by asking every campaign. In the order of their ids. */
export function naiveMatches(
  campaigns: ReadonlyMap<string, Owned>,
  view: TargetingContext,
  nowMs: number,
  admits: (owner: string) => boolean,
): readonly Match[] {
  const matches: Match[] = [];
  for (const [id, { owner, campaign }] of campaigns) {
    if (!admits(owner)) continue;
    const { bid } = evaluateCampaigns([campaign], view, { nowMs, random: () => 0 });
    if (bid === null) continue;
    const { priority = 0 } = campaign.campaign;
    const ruleId = bid.matchedRule?.rule_id ?? null;
    matches.push({ id, owner, priority, bidCpmMicros: cpmMicros(bid.bidCpm), ruleId });
  }
  return inOrder(matches);
}

export function inOrder(matches: readonly Match[]): readonly Match[] {
  return [...matches].sort((a, b) => (a.id < b.id ? -1 : 1));
}
