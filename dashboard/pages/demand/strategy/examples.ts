/** A strategy to begin with. All are made of markup: they can be saved where no ad server is. */
interface Example {
  readonly id: string;
  readonly label: string;
  readonly what: string;
  readonly document: (dspId: string) => object;
}

const markup = (words: string) => `<a href="https://advertiser.example.com/">${words}</a>`;

export const EXAMPLES: readonly Example[] = [
  {
    id: 'everywhere',
    label: 'One banner everywhere',
    what: 'A campaign that bids one price on every 300 × 250 banner.',
    document: (dspId) => ({
      version: '1.0',
      dsp_id: dspId,
      default_bid: 1.5,
      campaigns: [
        {
          campaign_id: 'everywhere',
          campaign_name: 'Everywhere',
          bidding: { base_cpm: 2 },
          creative: { creative_id: 'box', html: markup('See what is new'), width: 300, height: 250 },
        },
      ],
      rules: [],
    }),
  },
  {
    id: 'evening',
    label: 'Phones, dearer in the evening',
    what: 'Targeting by country and device, and rules that change the price by genre and hour.',
    document: (dspId) => ({
      version: '1.0',
      dsp_id: dspId,
      default_bid: 1.5,
      campaigns: [
        {
          campaign_id: 'drama-mobile',
          campaign_name: 'Drama in the hand',
          targeting: { countries: ['AE', 'SA'], devices: ['mobile'] },
          bidding: { base_cpm: 4, max_cpm: 12 },
          budget: { daily_cents: 100000, pacing: 'linear' },
          creative: { creative_id: 'drama-box', html: markup('Tonight at nine'), width: 300, height: 250 },
        },
      ],
      rules: [
        {
          rule_id: 'evening-drama',
          campaign_id: 'drama-mobile',
          priority: 10,
          conditions: [{ field: 'content.genre', operator: 'in', value: 'drama,thriller' }],
          bid_multiplier: 2,
          schedule: { hours: '18-23', timezone: 'Asia/Dubai' },
        },
        { rule_id: 'otherwise', campaign_id: 'drama-mobile', conditions: [], bid_multiplier: 1 },
      ],
    }),
  },
  {
    id: 'rotation',
    label: 'Two creatives by weight, capped',
    what: 'Creatives that take turns, a budget in all and three impressions a day for a device.',
    document: (dspId) => ({
      version: '1.0',
      dsp_id: dspId,
      default_bid: 0,
      campaigns: [
        {
          campaign_id: 'spring',
          version: '2.0',
          campaign_name: 'Spring',
          priority: 5,
          bidding: { base_cpm: 3 },
          budget: { daily_cents: 50000, total_cents: 1000000, pacing: 'conservative' },
          frequency_cap: { max_impressions: 3, window_hours: 24 },
          rotation_strategy: 'weighted',
          adomain: ['advertiser.example.com'],
          creatives: [
            { creative_id: 'box', html: markup('Spring is here'), width: 300, height: 250, weight: 3 },
            { creative_id: 'leaderboard', html: markup('Spring is here'), width: 728, height: 90, weight: 1 },
          ],
        },
      ],
      rules: [],
    }),
  },
];
