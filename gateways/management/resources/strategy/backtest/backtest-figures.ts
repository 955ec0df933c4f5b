import type { LossReason } from '#exchange/auction/loss-reason';

/** The outcome of a bid under test. */
export type TestedOutcome = 'won' | 'tied' | 'outbid' | 'refused';

/** The number of auctions that are named as examples of each outcome. */
const EXAMPLES = 3;

/**
 * The sums over the bids under test. A bid is for one imp; in an extrapolation it counts as many times as its auction
 * represents.
 */
export class BacktestFigures {
  matched = 0;
  bids = 0;
  won = 0;
  tied = 0;
  outbid = 0;
  refused = 0;
  keptBackByBudget = 0;
  withoutCreative = 0;
  /** The spending in nano-dollars. */
  spentNanos = 0n;

  count(outcome: TestedOutcome, times: number, priceNanos: number): void {
    this.bids += times;
    this[outcome] += times;
    if (outcome === 'won') this.spentNanos += BigInt(priceNanos) * BigInt(times);
  }
}

/** The figures of one campaign. */
export class CampaignFigures extends BacktestFigures {
  readonly refusals = new Map<LossReason, number>();
  /** The figures by rule; '' stands for the campaign's targeting alone. */
  readonly rules = new Map<string, { matched: number; bids: number; won: number }>();
  readonly examples = new Map<TestedOutcome, string[]>();

  rule(ruleId: string | null) {
    const name = ruleId ?? '';
    let figures = this.rules.get(name);
    if (figures === undefined) {
      figures = { matched: 0, bids: 0, won: 0 };
      this.rules.set(name, figures);
    }
    return figures;
  }

  addExample(outcome: TestedOutcome, auction: string): void {
    const known = this.examples.get(outcome);
    if (known === undefined) this.examples.set(outcome, [auction]);
    else if (known.length < EXAMPLES && known.at(-1) !== auction) known.push(auction);
  }
}
