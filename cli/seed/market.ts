/** What `exchange seed` makes, by names; a second run finds it by them. */
export const POOLS = [
  { name: 'Seed: pages', floor_price_cpm: 0.5, buyers: ['LowBidder', 'RandomBidder'] },
  { name: 'Seed: screens', floor_price_cpm: 2, buyers: ['HighBidder', 'RandomBidder', 'TimeoutDSP'] },
] as const;

export const PUBLISHERS = [
  { name: 'Seed: Harbour News', domain: 'harbour-news.example', type: 'web', content_genre: 'news', pool: 0 },
  { name: 'Seed: Match Report', domain: 'match-report.example', type: 'web', content_genre: 'sport', pool: 0 },
  { name: 'Seed: Pocket Weather', domain: 'example.pocket.weather', type: 'mobile', content_genre: 'weather', pool: 0 },
  { name: 'Seed: Living Room', domain: 'example.living.room', type: 'ctv', content_genre: 'drama', pool: 1 },
] as const;

export const BUYER = 'Seed: buyer';

const creative = (id: string, text: string, width: number, height: number) => ({
  creative_id: id,
  html: `<a href="https://advertiser.example.com/${id}" style="font:20px sans-serif">${text}</a>`,
  width,
  height,
});

/** Campaigns of the buyer: one for everything, one for phones, one that is soon out of budget. */
export function strategyOf(buyerId: string) {
  return {
    version: '1.0' as const,
    dsp_id: buyerId,
    default_bid: 1,
    campaigns: [
      {
        campaign_id: 'seed-brand',
        campaign_name: 'Seed: a brand, everywhere',
        bidding: { base_cpm: 2.4, max_cpm: 6 },
        budget: { daily_cents: 50_000 },
        creative: creative('seed-brand-box', 'A brand', 300, 250),
        adomain: ['brand.example'],
      },
      {
        campaign_id: 'seed-phones',
        campaign_name: 'Seed: an app, on phones',
        targeting: { devices: ['mobile' as const] },
        bidding: { base_cpm: 4, max_cpm: 9 },
        budget: { daily_cents: 20_000 },
        creative: creative('seed-phones-banner', 'An app', 320, 50),
        adomain: ['app.example'],
      },
      {
        campaign_id: 'seed-small',
        campaign_name: 'Seed: a shop, with a small budget',
        bidding: { base_cpm: 5, max_cpm: 5 },
        budget: { daily_cents: 10 },
        creative: creative('seed-small-board', 'A shop', 728, 90),
        adomain: ['shop.example'],
      },
    ],
    rules: [
      {
        rule_id: 'seed-sport',
        campaign_id: 'seed-brand',
        conditions: [{ field: 'content.genre', operator: 'in' as const, value: 'sport' }],
        bid_multiplier: 1.5,
      },
    ],
  };
}
