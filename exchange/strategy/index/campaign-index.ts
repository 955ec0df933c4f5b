import { cpmMicros } from '../../money/price.ts';
import type { BiddingCampaign } from '../bidding-campaign.ts';
import { evaluateCampaigns } from '../evaluate.ts';
import type { RequestView } from '../read-field.ts';

/** A campaign that may bid on an imp. */
export interface Match {
  /** As it was put. */
  readonly id: string;
  readonly owner: string;
  /** The campaign's, not the rule's. */
  readonly priority: number;
  /** Whole micro-dollars CPM, above 0 and not above the campaign's `max_cpm`. */
  readonly bidCpmMicros: number;
  /** The rule that matched; null for a campaign that bids on its targeting alone. */
  readonly ruleId: string | null;
}

/** All campaigns that an edge knows, arranged so that one request finds those that may bid on it. */
export class CampaignIndex {
  readonly #campaigns = new Map<string, { readonly owner: string; readonly campaign: BiddingCampaign }>();

  /** Adds a campaign, or puts it in the place of the one with the same id. `owner` is the id of its demand source. */
  put(id: string, owner: string, campaign: BiddingCampaign): void {
    this.#campaigns.set(id, { owner, campaign });
  }

  /** Nothing happens when there is none with this id. */
  remove(id: string): void {
    this.#campaigns.delete(id);
  }

  /**
   * Every campaign that may bid on `view.imp`: not paused, in its targeting, with a rule that matches where it has rules, a
   * price above 0 and a creative that the imp can show. In no order. `admits` is asked at most once for an owner.
   */
  match(view: RequestView, nowMs: number, admits: (owner: string) => boolean): readonly Match[] {
    const admitted = new Map<string, boolean>();
    const matches: Match[] = [];
    for (const [id, { owner, campaign }] of this.#campaigns) {
      if (!admitted.has(owner)) admitted.set(owner, admits(owner));
      if (admitted.get(owner) !== true) continue;
      const { bid } = evaluateCampaigns([campaign], view, { nowMs, random: () => 0 });
      if (bid === null) continue;
      matches.push({
        id,
        owner,
        priority: campaign.campaign.priority ?? 0,
        bidCpmMicros: cpmMicros(bid.bidCpm),
        ruleId: bid.matchedRule?.rule_id ?? null,
      });
    }
    return matches;
  }
}
