import type { LossReason } from '../../../../../exchange/auction/loss-reason.ts';

/** What a bid under test comes to. */
export type TestedOutcome = 'won' | 'tied' | 'outbid' | 'refused';

/** Auctions named as examples of each outcome. */
const EXAMPLES = 3;

/** What bids under test come to, in sum. Each is a bid on one imp; in an extrapolation, on as many as its auction stands for. */
export class BacktestFigures {
  matched = 0;
  bids = 0;
  won = 0;
  tied = 0;
  outbid = 0;
  refused = 0;
  keptBackByBudget = 0;
  withoutCreative = 0;
  /** Nano-dollars. */
  spentNanos = 0n;

  count(outcome: TestedOutcome, times: number, priceNanos: number): void {
    this.bids += times;
    this[outcome] += times;
    if (outcome === 'won') this.spentNanos += BigInt(priceNanos) * BigInt(times);
  }
}

/** Of one campaign. */
export class CampaignFigures extends BacktestFigures {
  readonly refusals = new Map<LossReason, number>();
  /** By rule; '' is the campaign's targeting alone. */
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
