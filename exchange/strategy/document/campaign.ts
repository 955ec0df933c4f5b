import Type, { type Static } from 'typebox';
import { Creative } from './creative.ts';
import { Cpm, Label, Priority, timeFields } from './fields.ts';

export const Targeting = Type.Object(
  {
    countries: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 300,
        description: 'ISO 3166 codes of two or three letters; everywhere when absent or empty.',
      }),
    ),
    devices: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 50,
        description:
          '`ctv`, `mobile`, `tablet`, `desktop`, or OpenRTB device types as strings; any when absent or empty.',
      }),
    ),
    genres: Type.Optional(
      Type.Array(Label('A genre.'), {
        maxItems: 500,
        description: 'Of the content, or of the publisher where the content has none; any when absent or empty.',
      }),
    ),
    ...timeFields,
  },
  {
    additionalProperties: false,
    title: 'Targeting',
    description: 'Where and when a campaign bids: all that is given must hold.',
  },
);
export type Targeting = Static<typeof Targeting>;

export const Bidding = Type.Object(
  {
    base_cpm: Type.Optional(Cpm('USD CPM that it bids where no rule says otherwise.')),
    max_cpm: Type.Optional(Cpm('USD CPM that no bid exceeds; not below `base_cpm`.')),
  },
  { additionalProperties: false, description: 'Prices in USD CPM.' },
);

const Cents = (description: string) => Type.Integer({ minimum: 0, maximum: 100_000_000_000, description });

export const Budget = Type.Object(
  {
    daily_cents: Type.Optional(Cents('Of a UTC day; 0 = unlimited.')),
    total_cents: Type.Optional(Cents('Of all time; 0 = unlimited.')),
    pacing: Type.Optional(Type.Enum(['linear', 'aggressive', 'conservative'], { default: 'linear' })),
  },
  { additionalProperties: false, description: 'What it may spend.' },
);

export const FrequencyCap = Type.Object(
  {
    max_impressions: Type.Integer({ minimum: 1, maximum: 10_000, description: 'For one device in the window.' }),
    window_hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 720, default: 24 })),
  },
  {
    additionalProperties: false,
    description:
      'A limit for each device, by its advertising id (`device.ifa`) or else the cookie that the exchange has in its browser. Without either a capped campaign does not bid.',
  },
);

const CampaignStatus = Type.Enum(['active', 'paused'], {
  default: 'active',
  description: 'A campaign that is `paused` does not bid.',
});

/** The fields of a campaign besides its `campaign_id`, for both the Campaign API and strategies. */
export const campaignFields = {
  version: Type.Optional(
    Type.Enum(['1.0', '2.0'], { description: 'Of the document. 1.0 has one `creative` and no rotation.' }),
  ),
  campaign_name: Label('For people.'),
  status: Type.Optional(CampaignStatus),
  priority: Type.Optional(Priority),
  targeting: Type.Optional(Targeting),
  bidding: Type.Optional(Bidding),
  budget: Type.Optional(Budget),
  frequency_cap: Type.Optional(FrequencyCap),
  creative: Type.Optional(Creative),
  creatives: Type.Optional(
    Type.Array(Creative, { minItems: 1, maxItems: 50, description: 'Several, in rotation; instead of `creative`.' }),
  ),
  rotation_strategy: Type.Optional(
    Type.Enum(['weighted', 'round_robin', 'random'], {
      default: 'weighted',
      description:
        'How `creatives` take turns. `round_robin`: each as often as the others, and different ones on the imps of a request.',
    }),
  ),
  adomain: Type.Optional(
    Type.Array(Type.String({ pattern: '^[^\\s/:?#@,]{1,253}$' }), {
      maxItems: 20,
      description:
        "The advertiser's domains. Where there are none, block lists and breaks go by the host of the creative's `landing_url`, which no answer names.",
    }),
  ),
  categories: Type.Optional(
    Type.Array(Type.String({ pattern: '^[A-Za-z0-9-]{1,32}$' }), {
      maxItems: 50,
      description: 'IAB content categories.',
    }),
  ),
};

/** A campaign as strategies contain it and the exchange stores it. */
export const Campaign = Type.Object(
  { campaign_id: Label('Unique among the campaigns of its demand source.'), ...campaignFields },
  {
    additionalProperties: false,
    title: 'StrategyCampaign',
    description: 'A campaign. Exactly one of `creative` and `creatives` is there.',
  },
);
export type Campaign = Static<typeof Campaign>;

export function creativesOf(campaign: Pick<Campaign, 'creative' | 'creatives'>): readonly Creative[] {
  return campaign.creatives ?? (campaign.creative === undefined ? [] : [campaign.creative]);
}
