import { expect } from 'chai';
import { vastUrl } from '../../support/shared-creative-origin.ts';
import type { ManagementClient } from './management-client.ts';

export const sources = '/api/demand/sources';
export const campaigns = '/api/campaigns';
export const creative = { creative_id: 'v', vast_url: vastUrl('v') };

/** Makes delegates, campaigns and strategies with the client that there is at the time of each call. */
export function delegateCampaigns(api: () => ManagementClient) {
  let names = 0;
  const delegate = async (fields: object = {}, client = api()): Promise<string> => {
    const answer = await client.post(sources, { name: `Delegate ${++names}`, mode: 'delegate', ...fields });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body.id;
  };
  const document = (campaignId: string, fields: object = {}) => ({
    campaign_id: campaignId,
    campaign_name: 'C',
    bidding: { base_cpm: 2 },
    creative,
    ...fields,
  });
  const create = async (dspId: string, fields: object = {}, client = api()) => {
    const answer = await client.post(campaigns, { dsp_id: dspId, ...document(`c${++names}`), ...fields });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body;
  };
  const strategyOf = (dspId: string, fields: object = {}) => ({
    version: '1.0',
    dsp_id: dspId,
    default_bid: 1,
    campaigns: [document('a')],
    rules: [],
    ...fields,
  });
  const upload = (dspId: string, fields: object = {}, client = api(), headers = {}) =>
    client.put(`${sources}/${dspId}/strategy`, strategyOf(dspId, fields), headers);
  const idsOf = async (query: string, client = api()): Promise<string[]> =>
    (await client.get(`${campaigns}?per_page=200${query}`)).body.campaigns.map(({ id }: { id: string }) => id);
  return { delegate, document, create, strategyOf, upload, idsOf };
}
