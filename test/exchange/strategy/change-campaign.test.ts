import { expect } from 'chai';
import { changeCampaign } from '#exchange/strategy/change-campaign';
import type { Campaign } from '#exchange/strategy/document/campaign';

const creative = { creative_id: 'v', vast_url: 'https://ads.example/v.xml' };
const campaign: Campaign = {
  campaign_id: 'a',
  campaign_name: 'A',
  bidding: { base_cpm: 2, max_cpm: 3 },
  targeting: { countries: ['AE'], genres: ['drama'] },
  creative,
};

describe('exchange/strategy/change-campaign', () => {
  it('changes what is named and nothing else', () => {
    expect(changeCampaign(campaign, {})).to.deep.equal(campaign);
    expect(changeCampaign(campaign, { campaign_name: 'B', priority: 2 })).to.deep.equal({
      ...campaign,
      campaign_name: 'B',
      priority: 2,
    });
  });
  it('changes single fields of objects', () => {
    expect(changeCampaign(campaign, { bidding: { max_cpm: 5 } }).bidding).to.deep.equal({ base_cpm: 2, max_cpm: 5 });
    expect(changeCampaign(campaign, { budget: { daily_cents: 1 } }).budget).to.deep.equal({ daily_cents: 1 });
  });
  it('takes away by null, and objects with their last field', () => {
    const next = changeCampaign(campaign, { targeting: { genres: null }, bidding: { base_cpm: null, max_cpm: null } });
    expect(next).to.have.deep.property('targeting', { countries: ['AE'] });
    expect(next).not.to.have.property('bidding');
    expect(changeCampaign(campaign, { targeting: null })).not.to.have.property('targeting');
  });
  it('replaces lists and creatives whole', () => {
    expect(changeCampaign(campaign, { targeting: { countries: ['US'] } }).targeting).to.deep.equal({
      countries: ['US'],
      genres: ['drama'],
    });
    const other = { creative_id: 'w', html: '<b>' };
    expect(changeCampaign(campaign, { creative: other }).creative).to.deep.equal(other);
  });
  it('puts creatives in the place of creative, and back', () => {
    const several = changeCampaign(campaign, { creatives: [creative] });
    expect(several).to.have.deep.property('creatives', [creative]);
    expect(several).not.to.have.property('creative');
    const one = changeCampaign(several as Campaign, { creative });
    expect(one).to.have.deep.property('creative', creative);
    expect(one).not.to.have.property('creatives');
    expect(changeCampaign(campaign, { creative, creatives: [creative] })).to.include.all.keys('creative', 'creatives');
  });
  it('makes a campaign of version 1.0 one of 2.0 when it needs to be', () => {
    const first: Campaign = { ...campaign, version: '1.0' };
    expect(changeCampaign(first, { campaign_name: 'B' }).version).to.equal('1.0');
    expect(changeCampaign(first, { creatives: [creative] }).version).to.equal('2.0');
    expect(changeCampaign(first, { creatives: [creative], version: '1.0' }).version).to.equal('1.0');
  });
});
