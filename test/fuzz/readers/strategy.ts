import { campaignDocumentFaults } from '#exchange/strategy/validate/campaign-document';
import { strategyFaults } from '#exchange/strategy/validate/strategy';

const DSP = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
const creative = { creative_id: 'one', html: '<b>An ad</b>', width: 300, height: 250, landing_url: 'https://a.test/' };
const campaign = {
  campaign_id: 'c',
  campaign_name: 'C',
  targeting: {
    countries: ['DE', 'USA'],
    devices: ['ctv'],
    genres: ['drama'],
    hours: '18-23',
    days: ['mon'],
    timezone: 'Asia/Dubai',
  },
  bidding: { base_cpm: 1, max_cpm: 5 },
  budget: { daily_cents: 100 },
  frequency_cap: { max_impressions: 3 },
  creatives: [creative, { creative_id: 'two', vast_url: 'https://v.test/' }],
};
const conditions = [
  { field: 'device.devicetype', operator: 'in', value: '3,7' },
  { field: 'site.domain', operator: 'contains', value: 'news' },
];

export const strategySamples = [
  { version: '1.0', dsp_id: DSP, default_bid: 1, campaigns: [campaign], rules: [] },
  {
    version: '1.0',
    dsp_id: DSP,
    default_bid: 0,
    campaigns: [campaign],
    rules: [{ rule_id: 'r', campaign_id: 'c', conditions }],
  },
  campaign,
].map((document) => JSON.stringify(document));

/** As an upload does, or a call of the Campaign API. */
export function readStrategy(text: string): void {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return;
  }
  strategyFaults(document, { dspId: DSP, takenCampaignIds: new Set(), httpsOnly: true });
  campaignDocumentFaults(document, { httpsOnly: false });
}
