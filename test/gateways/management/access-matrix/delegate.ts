import { randomUUID } from 'node:crypto';

/** Of a delegate; its creative is fetched from nowhere. */
export function delegateCampaign(dspId: string): object {
  return {
    dsp_id: dspId,
    campaign_id: randomUUID(),
    campaign_name: 'A campaign',
    bidding: { base_cpm: 2 },
    creative: { creative_id: 'c', format: 'html5', html: '<b>ad</b>', width: 300, height: 250 },
  };
}

/** A strategy that bids in no auction. */
export function strategyOf(dspId: string): object {
  return { version: '1.0', dsp_id: dspId, default_bid: 1, campaigns: [], rules: [] };
}
