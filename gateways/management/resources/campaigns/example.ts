/** A campaign as the API's description shows one. */
export const campaignExample = {
  dsp_id: '3b0c2f0a-8d1e-4c55-9c2d-5f0a4a1f6a11',
  campaign_id: 'spring-ctv',
  campaign_name: 'Spring on the big screen',
  targeting: { countries: ['AE', 'SA'], devices: ['ctv'], hours: '18-23', timezone: 'Asia/Dubai' },
  bidding: { base_cpm: 8.5, max_cpm: 12 },
  budget: { daily_cents: 50_000, pacing: 'linear' },
  frequency_cap: { max_impressions: 3, window_hours: 24 },
  creatives: [
    { creative_id: 'spring-30s', vast_url: 'https://ads.example.com/spring-30s.xml', weight: 3 },
    {
      creative_id: 'spring-15s',
      vast_url: 'https://ads.example.com/spring-15s.xml',
      impression_trackers: ['https://measure.example.com/i?c=spring-15s'],
      weight: 1,
    },
  ],
  rotation_strategy: 'weighted',
  adomain: ['advertiser.example.com'],
};
