import Type, { type Static } from 'typebox';
import { Nullable } from '#actors/api-schemas';
import { chooseCreative } from '#exchange/strategy/choose-creative';
import type { CampaignExplained, DelegateBid, Evaluation } from '#exchange/strategy/index/explain-campaigns';

const Condition = Type.Object({
  field: Type.String(),
  operator: Type.String(),
  value: Type.String(),
  actual: Type.Unknown({ description: 'What the request has there; null when nothing.' }),
  matched: Type.Boolean(),
});

const Cpm = (description?: string) =>
  Type.Number({ minimum: 0, ...(description === undefined ? {} : { description }) });

const common = {
  floor: Cpm('USD CPM: the highest of the auction’s, the publisher’s and the pool’s.'),
  conditions_evaluated: Type.Array(
    Type.Object({
      campaign: Type.String({ description: '`campaign_id`.' }),
      matched: Type.Boolean(),
      reason: Type.String(),
      targeting: Type.Array(Condition),
      rules: Type.Array(
        Type.Object({ rule_id: Type.String(), matched: Type.Boolean(), conditions: Type.Array(Condition) }),
      ),
    }),
    { description: 'Every campaign of the demand source with each of its demands.' },
  ),
};

const Match = Type.Object(
  {
    matched_rule: Nullable(Type.String({ description: 'Null for a campaign that bids on its targeting alone.' })),
    campaign_id: Type.String(),
    campaign_name: Type.String(),
    bid_cpm: Cpm('USD.'),
    base_cpm: Cpm('USD, before rules.'),
    won: Type.Boolean({ description: 'Whether the bid reaches the floor. There are no rivals.' }),
    clearing_price: Nullable(Cpm('USD CPM: the bid, when it won.')),
    reason: Type.String(),
    creative: Type.Object({ vast_url: Nullable(Type.String()), creative_id: Type.String() }),
    ...common,
  },
  { description: 'A campaign bids.' },
);

const NoMatch = Type.Object(
  {
    matched_rule: Type.Null(),
    campaign_id: Type.Null(),
    bid_cpm: Type.Literal(0),
    won: Type.Literal(false),
    message: Type.String(),
    ...common,
  },
  { description: 'No campaign bids.' },
);

export const SimulationResult = Type.Union([Match, NoMatch]);
export type SimulationResult = Static<typeof SimulationResult>;

/**
 * Shows the result in one of two shapes, with a bid or without (specification, "Simulate-auction"). `random` is uniform
 * in [0, 1).
 */
export function showSimulation(
  { bid, conditionsEvaluated }: Evaluation,
  floorCpm: number,
  random: () => number,
): SimulationResult {
  const common = { floor: floorCpm, conditions_evaluated: conditionsEvaluated.map(campaignFieldsOf) };
  if (bid === null) {
    const message = common.conditions_evaluated.length === 0 ? 'It has no campaigns.' : 'None of its campaigns bids.';
    return { matched_rule: null, campaign_id: null, bid_cpm: 0, won: false, message, ...common };
  }
  const { campaign } = bid.of;
  const won = bid.bidCpm >= floorCpm;
  const outcome = won
    ? `Not below the floor of ${floorCpm} CPM: it wins.`
    : `Below the floor of ${floorCpm} CPM: it loses.`;
  return {
    matched_rule: bid.matchedRule?.rule_id ?? null,
    campaign_id: campaign.campaign_id,
    campaign_name: campaign.campaign_name,
    bid_cpm: bid.bidCpm,
    base_cpm: bid.baseCpm,
    won,
    clearing_price: won ? bid.bidCpm : null,
    reason: `${bid.reason} ${outcome}`,
    creative: creativeOf(bid, random),
    ...common,
  };
}

/** The creative that is shown: the first one of a rotation, otherwise a random one. */
function creativeOf({ of, creatives }: DelegateBid, random: () => number) {
  const rotation = of.campaign.rotation_strategy ?? 'weighted';
  const creative = chooseCreative(creatives, rotation, { sequence: 0, random: random() });
  return { vast_url: creative.vast_url ?? null, creative_id: creative.creative_id };
}

function campaignFieldsOf({ targeting, rules, ...campaign }: CampaignExplained) {
  return {
    ...campaign,
    targeting: [...targeting],
    rules: rules.map(({ conditions, ...rule }) => ({ ...rule, conditions: [...conditions] })),
  };
}
