import { campaign } from '#actors/campaign/campaign';
import type { CampaignState } from '#actors/campaign/reduce';
import type { ManagementDeps } from '../../deps.ts';

/** The names of a demand source's campaigns of the Campaign API, which its strategy must not use. */
export async function campaignIdsOfApi(
  { store }: Pick<ManagementDeps, 'store'>,
  dspId: string,
): Promise<ReadonlySet<string>> {
  const { documents } = await store.query(campaign.kind, { where: { dspId, origin: 'api' } });
  return new Set(documents.flatMap(({ state }) => (state as CampaignState).campaign?.campaign_id ?? []));
}
