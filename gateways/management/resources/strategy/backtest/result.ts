import Type, { type Static } from 'typebox';
import { Nullable, Timestamp } from '#actors/api-schemas';
import { averageCpmOf, centsOf } from '#exchange/money/cents';
import { ratio } from '#exchange/money/ratio';
import type { AuctionReplay } from './auction-replay.ts';
import type { BacktestFigures, CampaignFigures, TestedOutcome } from './backtest-figures.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

const figures = {
  matched: Count('Imps that a campaign matched.'),
  bids: Count('Bids that it would have made, one for an imp at most.'),
  won: Count('Bids above every other that was recorded, and not below the floor.'),
  tied: Count('Bids as high as the highest other one: in an auction chance decides; here they are not won.'),
  outbid: Count('Bids below another.'),
  refused: Count('Bids that would have been turned down: floors, block lists, sizes.'),
  kept_back_by_budget: Count('Times that a budget did not pay for a bid any more.'),
  without_creative: Count('Times that no creative of a campaign fitted.'),
  win_rate: Type.Number({ description: '`won` of `bids`, 0 to 1.' }),
  spend_cents: Type.Number({ description: 'Of what was won, as if all of it had been shown; at most 4 decimals.' }),
  avg_cpm: Type.Number({ description: 'USD CPM of what was won; at most 6 decimals.' }),
};
const FiguresShown = Type.Object(figures);

const Examples = Type.Object(
  {
    won: Type.Array(Type.String()),
    tied: Type.Array(Type.String()),
    outbid: Type.Array(Type.String()),
    refused: Type.Array(Type.String()),
  },
  { description: 'Ids of auctions, for `GET /api/auctions/{id}`.' },
);

export const BacktestResult = Type.Object(
  {
    dsp_id: Type.String(),
    from: Timestamp,
    to: Timestamp,
    auctions: Type.Object({
      recorded: Count('Recorded auctions of the pools that the demand source subscribes to, that were answered.'),
      held_again: Count('Those that hold enough to be held again.'),
      represented: Count('How many auctions these stand for.'),
      matched: Count('Those in which a campaign matched.'),
      pod_imps: Count('Imps of pods, which are left out: there bids are chosen together.'),
    }),
    sample: Type.Object(figures, { description: 'In the recorded auctions, as if there had been no others.' }),
    extrapolated: Type.Object(figures, {
      description:
        'An estimate for all that they stand for: each auction counts as often as it stands for others, and budgets are spent as fast.',
    }),
    campaigns: Type.Array(
      Type.Object({
        campaign_id: Type.String(),
        sample: FiguresShown,
        extrapolated: FiguresShown,
        refusals: Type.Record(Type.String(), Type.Integer(), { description: 'By reason, in the sample.' }),
        rules: Type.Array(
          Type.Object({
            rule_id: Nullable(Type.String({ description: 'Null: the targeting alone.' })),
            matched: Type.Integer(),
            bids: Type.Integer(),
            won: Type.Integer(),
          }),
          { description: 'Each rule that matched, in the sample.' },
        ),
        examples: Examples,
      }),
      { description: 'Each campaign of the strategy.' },
    ),
    assumptions: Type.Array(Type.String(), { description: 'What the figures rest on, and what they leave aside.' }),
  },
  { title: 'Backtest' },
);
export type BacktestResult = Static<typeof BacktestResult>;

export interface BacktestRun {
  readonly dspId: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly recorded: number;
  readonly replay: AuctionReplay;
  readonly campaignIds: readonly string[];
  readonly assumptions: readonly string[];
}

export function showBacktest(run: BacktestRun): BacktestResult {
  const { replay: rehearsal } = run;
  const { sample, extrapolated } = rehearsal;
  return {
    dsp_id: run.dspId,
    from: new Date(run.fromMs).toISOString(),
    to: new Date(run.toMs).toISOString(),
    auctions: {
      recorded: run.recorded,
      held_again: rehearsal.auctions,
      represented: rehearsal.represented,
      matched: rehearsal.matchedAuctions,
      pod_imps: rehearsal.podImps,
    },
    sample: showFigures(sample.total),
    extrapolated: showFigures(extrapolated.total),
    campaigns: run.campaignIds.map((campaignId) => {
      const own = sample.campaigns.get(campaignId);
      return {
        campaign_id: campaignId,
        sample: showFigures(own),
        extrapolated: showFigures(extrapolated.campaigns.get(campaignId)),
        refusals: Object.fromEntries(own?.refusals ?? []),
        rules: [...(own?.rules ?? [])].map(([rule, counts]) => ({ rule_id: rule === '' ? null : rule, ...counts })),
        examples: examplesOf(own),
      };
    }),
    assumptions: [...run.assumptions],
  };
}

function examplesOf(figures: CampaignFigures | undefined) {
  const of = (outcome: TestedOutcome) => [...(figures?.examples.get(outcome) ?? [])];
  return { won: of('won'), tied: of('tied'), outbid: of('outbid'), refused: of('refused') };
}

function showFigures(figures: BacktestFigures | undefined): Static<typeof FiguresShown> {
  const { matched = 0, bids = 0, won = 0, tied = 0, outbid = 0, refused = 0, spentNanos = 0n } = figures ?? {};
  return {
    matched,
    bids,
    won,
    tied,
    outbid,
    refused,
    kept_back_by_budget: figures?.keptBackByBudget ?? 0,
    without_creative: figures?.withoutCreative ?? 0,
    win_rate: ratio(won, bids),
    spend_cents: centsOf(spentNanos),
    avg_cpm: averageCpmOf(spentNanos, won),
  };
}
