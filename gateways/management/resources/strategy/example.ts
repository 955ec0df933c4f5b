import type { Strategy } from '#exchange/strategy/document/strategy';

/**
 * The example strategy of the API's description. It consists of markup, so that it can be tried without an ad server.
 */
export const strategyExample: Strategy = {
  version: '1.0',
  dsp_id: '3b0c2f0a-8d1e-4c55-9c2d-5f0a4a1f6a11',
  default_bid: 1.5,
  campaigns: [
    {
      campaign_id: 'drama-mobile',
      campaign_name: 'Drama in the hand',
      targeting: { countries: ['AE'], devices: ['mobile'] },
      bidding: { base_cpm: 8, max_cpm: 15 },
      budget: { daily_cents: 100_000, pacing: 'linear' },
      creative: {
        creative_id: 'drama-box',
        html: '<a href="https://advertiser.example.com/drama">Tonight at nine</a>',
        width: 300,
        height: 250,
      },
    },
  ],
  rules: [
    {
      rule_id: 'evening-drama',
      campaign_id: 'drama-mobile',
      priority: 10,
      conditions: [
        { field: 'device.devicetype', operator: 'in', value: '1,4' },
        { field: 'content.genre', operator: 'in', value: 'drama,thriller' },
      ],
      bid_multiplier: 1.5,
      schedule: { hours: '18-23', days: 'thu-sat', timezone: 'Asia/Dubai' },
    },
  ],
};
