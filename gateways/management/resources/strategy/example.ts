import type { Strategy } from '../../../../exchange/strategy/document/strategy.ts';

/** A strategy as the API's description shows one. */
export const strategyExample: Strategy = {
  version: '1.0',
  dsp_id: '3b0c2f0a-8d1e-4c55-9c2d-5f0a4a1f6a11',
  default_bid: 1.5,
  campaigns: [
    {
      campaign_id: 'drama-ctv',
      campaign_name: 'Drama on the big screen',
      targeting: { countries: ['AE'], devices: ['ctv'] },
      bidding: { base_cpm: 8, max_cpm: 15 },
      budget: { daily_cents: 100_000, pacing: 'linear' },
      creative: { creative_id: 'drama-30s', vast_url: 'https://ads.example.com/drama-30s.xml' },
    },
  ],
  rules: [
    {
      rule_id: 'evening-drama',
      campaign_id: 'drama-ctv',
      priority: 10,
      conditions: [
        { field: 'device.devicetype', operator: 'eq', value: '3' },
        { field: 'content.genre', operator: 'in', value: 'drama,thriller' },
      ],
      bid_multiplier: 1.5,
      schedule: { hours: '18-23', days: 'thu-sat', timezone: 'Asia/Dubai' },
    },
  ],
};
