import Type, { type Static } from 'typebox';
import { Cpm, Label, Priority, timeFields } from './fields.ts';

const OPERATORS = ['eq', 'neq', 'in', 'not_in', 'gt', 'gte', 'lt', 'lte', 'contains', 'starts_with', 'exists'] as const;
export type Operator = (typeof OPERATORS)[number];

export const Condition = Type.Object(
  {
    field: Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'An OpenRTB path of the bid request, `device.devicetype`, `site.domain`, `imp.bidfloor` (of the imp that is bid on). `geo.…` is `device.geo.…`, `content.…` that of site or app. Where a list lies on the way, one element is enough.',
    }),
    operator: Type.Enum([...OPERATORS], {
      description:
        'Text is compared without regard to case, numbers as numbers. On an absent field only `neq`, `not_in` and `exists "false"` hold.',
    }),
    value: Type.String({
      maxLength: 10_000,
      description:
        'Always a string: `"3"` is the integer 3; lists are separated by commas; `exists` takes `true` or `false`; `contains` and `starts_with` take at most 256 characters.',
    }),
  },
  { additionalProperties: false, title: 'StrategyCondition', description: 'One demand on a bid request.' },
);
export type Condition = Static<typeof Condition>;

const Schedule = Type.Object(timeFields, { additionalProperties: false, description: 'When a rule may match.' });

export const Rule = Type.Object(
  {
    rule_id: Label('Unique in the strategy.'),
    campaign_id: Label('The campaign that bids when the rule matches; it stands in the same strategy.'),
    priority: Type.Optional(Priority),
    conditions: Type.Array(Condition, { maxItems: 100, description: 'All must hold; alternatives are more rules.' }),
    bid_cpm: Type.Optional(Cpm('USD CPM. At most one of this and `bid_multiplier`.')),
    bid_multiplier: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1000, description: "The bid is the campaign's base CPM times this." }),
    ),
    schedule: Type.Optional(Schedule),
  },
  { additionalProperties: false, title: 'StrategyRule', description: 'When all conditions hold, the campaign bids.' },
);
export type Rule = Static<typeof Rule>;
