import Type, { type Static } from 'typebox';
import { Nullable, Timestamp } from '#actors/api-schemas';
import { PARTICIPATION_OUTCOMES, REQUEST_OUTCOMES } from '#actors/auction-record/record';
import { RENDER_STATUSES } from '#actors/auction-record/render-status';

const Cpm = (description = 'USD CPM.') => Type.Number({ description });
const remedy = Nullable(
  Type.String({ description: 'The fields or settings that would change it; null where nothing went wrong.' }),
);
const codes = {
  reason: Nullable(Type.String({ description: 'Our word for it; null where nothing went wrong.' })),
  why: Nullable(Type.String({ description: 'The same in a sentence.' })),
  remedy,
  non_bid_status: Nullable(Type.Integer({ description: "The IAB's seat-non-bid status code." })),
};

const StatedAmount = (description: string) =>
  Type.Union(
    [
      Type.Object({
        cpm: Type.Number({ description: 'CPM in the currency.' }),
        currency: Type.String({ description: 'ISO 4217.' }),
        dollars_per_unit: Type.Number({ description: 'US dollars for one unit, by the rates of the auction.' }),
      }),
      Type.Null(),
    ],
    { description },
  );

const Imp = Type.Object({
  id: Type.String(),
  formats: Type.Array(Type.String()),
  sizes: Type.Array(Type.String({ description: '`300x250`.' })),
  floor_cpm: Cpm('USD CPM: the highest of the floors.'),
  floor_from: Type.Enum(['request', 'publisher', 'pool', 'none'], {
    description:
      'Whose floor is the highest. Deals and durations may have floors of their own: see `floor_cpm` of the bids.',
  }),
  stated_floor: StatedAmount('The floor as the request stated it; null where that was in US dollars.'),
  deals: Type.Integer({ description: 'How many deals it offers.' }),
  in_pod: Type.Boolean({ description: 'It is of a pod, in which bids are chosen together.' }),
});

const Bid = Type.Object({
  imp_id: Type.String(),
  bid_id: Nullable(Type.String()),
  won: Type.Boolean(),
  ...codes,
  loss_code: Nullable(
    Type.Integer({ description: 'The loss reason code of loss notices (OpenRTB): 0 for a bid that won.' }),
  ),
  price_cpm: Nullable(Cpm('USD CPM, as bid; null where no price was bid that has a worth in US dollars.')),
  stated_price: StatedAmount('The price as it was bid; null where that was in US dollars.'),
  floor_cpm: Nullable(Cpm('USD CPM: what it had to reach.')),
  clearing_cpm: Nullable(
    Cpm('USD CPM that the imp was sold for, as win and loss notices say it; null when nobody won.'),
  ),
  min_to_win_cpm: Nullable(
    Cpm('USD CPM that would have tied or won, as notices say it; null where price did not decide.'),
  ),
  crid: Nullable(Type.String()),
  adomain: Type.Array(Type.String()),
  deal_id: Nullable(Type.String()),
  seat: Nullable(Type.String()),
  campaign_id: Nullable(Type.String({ description: "A delegate's campaign." })),
  rule_id: Nullable(Type.String({ description: 'The rule of the campaign that matched.' })),
});

const NonBiddingCampaign = Type.Object({
  imp_id: Type.String(),
  campaign_id: Type.String(),
  reason: Type.String(),
  why: Type.String(),
  remedy,
  creatives: Type.Array(
    Type.Object({
      creative_id: Type.String(),
      reason: Type.String({ description: '`insecure`, `size-not-allowed`, `asset-missing` …' }),
      why: Type.String({ description: 'What is wrong, and the field or setting that would change it.' }),
    }),
    {
      description: 'Of `creative-unavailable`: the first creatives of the campaign, and why the imp cannot show each.',
    },
  ),
});

const Participation = Type.Object({
  dsp_id: Type.String(),
  mode: Type.Enum(['rtb', 'delegate']),
  outcome: Type.Enum([...PARTICIPATION_OUTCOMES], {
    description:
      '`answered`: it was asked, and has no bid that counts, whether its answer came in time or not; see `reason`.',
  }),
  called: Type.Boolean({ description: 'Whether it was asked, or its campaigns were evaluated.' }),
  ...codes,
  latency_ms: Type.Number(),
  bids: Type.Array(Bid, { description: 'Those that came nearest to winning, at most 20.' }),
  kept_back: Type.Array(NonBiddingCampaign, {
    description: 'Campaigns of a delegate that matched and did not bid, at most 16.',
  }),
});

const Sold = Type.Object({
  imp_id: Type.String(),
  dsp_id: Type.String(),
  format: Type.String(),
  clearing_cpm: Cpm(),
  tracking_id: Type.String({ description: 'As in the tracking URL.' }),
  impression: Type.Enum([...RENDER_STATUSES], {
    description:
      '`billed`: it was shown, and its impression is billed. `awaited`: not so far, and it may still be shown, within the render window. `none`: it was not shown in its time, and nothing is billed. `unknown`: it was not found out in time, or the log is away. `test`: it was sold in test mode, in which nothing is billed.',
  }),
  cost_micros: Nullable(
    Type.Number({
      minimum: 0,
      description:
        'What the impression costs, micro-dollars: a thousandth of the clearing CPM, 0 for `none` and `test`; null while it is not known.',
    }),
  ),
});

const listedFields = {
  id: Type.String(),
  auction_id: Type.String({ description: '`id` of the bid request.' }),
  at: Timestamp,
  region: Type.String(),
  edge: Type.String({ description: 'The process that held it.' }),
  sandbox: Type.Boolean(),
  test: Type.Boolean({
    description:
      'A live auction in test mode (`test` 1, OpenRTB 2.6 §3.2.1): its ads were served, nothing is billed, and it counts in no figure.',
  }),
  publisher_id: Nullable(Type.String({ description: 'Null for a publisher that is not known here.' })),
  pool_id: Nullable(Type.String()),
  outcome: Type.Enum([...REQUEST_OUTCOMES]),
  reason: Nullable(
    Type.String({ description: 'Why it was not filled; null when it was, and for who sees a part of it.' }),
  ),
  remedy,
  summary: Type.String({ description: 'What happened, in words.' }),
  took_ms: Type.Number(),
  represents: Type.Integer({
    description: 'How many auctions of this publisher with this outcome the record stands for, itself among them.',
  }),
  sees: Type.Enum(['whole', 'parts'], {
    description: '`parts`: of a publisher that is not yours; what your demand sources had to do with it.',
  }),
};

/** A recorded auction as one entry of a list. */
export const AuctionListed = Type.Object(listedFields, { title: 'AuctionListed' });
export type AuctionListed = Static<typeof AuctionListed>;

export const Auction = Type.Object(
  {
    ...listedFields,
    detail: Nullable(
      Type.String({ description: 'What the caller of a request that was refused was told, or why nobody could bid.' }),
    ),
    asked: Type.Object({
      channel: Nullable(Type.Enum(['site', 'app', 'dooh'])),
      inventory: Nullable(Type.String({ description: 'Domain or bundle.' })),
      device_type: Nullable(Type.Integer()),
      country: Nullable(Type.String()),
      region: Nullable(Type.String()),
      genre: Nullable(Type.String()),
    }),
    imps: Type.Array(Imp),
    currencies: Type.Union(
      [
        Type.Object({
          rates_as_of: Type.String({ format: 'date-time', description: 'The date of the rates, by their source.' }),
          answered_in: Type.String({ description: 'The currency of the answer, ISO 4217.' }),
        }),
        Type.Null(),
      ],
      { description: 'How amounts in other currencies were converted; null where none could be.' },
    ),
    privacy: Type.Array(Type.String({ description: 'Why something of the viewer was withheld from bidders.' })),
    demand: Type.Array(Participation),
    demand_left_out: Nullable(
      Type.Integer({
        description: 'Demand sources that had less to say than those shown; null where only a part is seen.',
      }),
    ),
    sold: Type.Array(Sold, { description: 'Where only a part is seen, what the own demand sources bought.' }),
    bid_request: Nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'As bidders were asked, but for the supply chain and without whatever names or places a person: no user, no ids, no address, no user agent, no extensions. Null for what was refused, and where it is too large to be kept.',
      }),
    ),
  },
  { title: 'Auction' },
);
export type Auction = Static<typeof Auction>;
