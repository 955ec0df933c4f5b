/**
 * The example campaign of the API's description. It consists of markup, so that it can be tried without an ad server.
 */
export const campaignExample = {
  dsp_id: '3b0c2f0a-8d1e-4c55-9c2d-5f0a4a1f6a11',
  campaign_id: 'spring-mobile',
  campaign_name: 'Spring in the hand',
  targeting: { countries: ['AE', 'SA'], devices: ['mobile', 'tablet'], hours: '18-23', timezone: 'Asia/Dubai' },
  bidding: { base_cpm: 8.5, max_cpm: 12 },
  budget: { daily_cents: 50_000, pacing: 'linear' },
  frequency_cap: { max_impressions: 3, window_hours: 24 },
  creatives: [
    {
      creative_id: 'spring-box',
      html: '<a href="https://advertiser.example.com/spring">Spring is here</a>',
      width: 300,
      height: 250,
      weight: 3,
    },
    {
      creative_id: 'spring-strip',
      html: '<a href="https://advertiser.example.com/spring">Spring</a>',
      width: 320,
      height: 50,
      impression_trackers: ['https://measure.example.com/i?c=spring-strip'],
      weight: 1,
    },
  ],
  rotation_strategy: 'weighted',
  adomain: ['advertiser.example.com'],
};
