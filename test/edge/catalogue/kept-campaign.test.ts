import { expect } from 'chai';
import { biddingCampaign, contentOf, toCatalogueCampaign } from '#edge/catalogue/kept-campaign';
import { htmlCreative, makeCampaignProjection } from '../../support/campaign-projection.ts';

describe('a campaign as an edge keeps it', () => {
  const condition = { field: 'device.os', operator: 'in' as const, value: 'iOS,Android' };
  const view = makeCampaignProjection('dsp-1', {
    id: 'id-1',
    campaign_id: 'autumn',
    status: 'active',
    priority: 3,
    targeting: { countries: ['DE'], devices: ['ctv'], hours: '8-12', timezone: 'Europe/Berlin' },
    bidding: { base_cpm: 1.5, max_cpm: 4 },
    budget: { daily_cents: 1_000, pacing: 'aggressive' },
    frequency_cap: { max_impressions: 3 },
    creatives: [htmlCreative('a'), { ...htmlCreative('b'), weight: 2 }],
    rotation_strategy: 'round_robin',
    adomain: ['brand.test'],
    categories: ['IAB3'],
    rules: [
      {
        rule_id: 'r1',
        campaign_id: 'autumn',
        priority: 2,
        conditions: [condition],
        bid_cpm: 2,
        schedule: { days: 'mon' },
      },
      { rule_id: 'r2', campaign_id: 'autumn', conditions: [], bid_multiplier: 1.5 },
      { rule_id: 'r3', campaign_id: 'autumn', conditions: [condition, { ...condition, value: 'ü,"\\' }] },
    ],
    defaultBidCpm: 0.5,
    paused: true,
  });

  it('loses nothing that a bid or a match goes by', () => {
    const kept = toCatalogueCampaign(view);
    const { campaign, rules, defaultBidCpm, paused } = biddingCampaign(kept);
    expect({ rules, defaultBidCpm, paused }).to.deep.equal({
      rules: view.rules,
      defaultBidCpm: view.defaultBidCpm,
      paused: true,
    });
    const { status, priority, targeting, bidding, campaign_id, creatives } = view.campaign;
    expect(campaign).to.deep.include({ status, priority, targeting, bidding, campaign_id, creatives });
    expect(contentOf(kept)).to.deep.equal({
      campaignId: 'autumn',
      creatives,
      rotation: 'round_robin',
      adomain: ['brand.test'],
      categories: ['IAB3'],
    });
    expect(kept).to.deep.include({
      budget: { daily_cents: 1_000, pacing: 'aggressive' },
      cap: { maxImpressions: 3, windowHours: 24 },
    });
  });
});
