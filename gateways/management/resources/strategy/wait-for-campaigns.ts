import { campaign } from '#actors/campaign/campaign';
import type { CampaignState } from '#actors/campaign/reduce';
import type { SavedStrategy } from '#actors/strategy/reduce';
import { pause, systemTimer } from '#async/pause';
import type { ManagementDeps } from '../../deps.ts';

const pollIntervalMs = 10;
const timeoutMs = 2_000;
/**
 * The number of campaigns that one poll checks. Campaigns take the strategy over in no particular order, so the first
 * few that are missing suffice.
 */
const campaignsPerPoll = 50;

/**
 * Resolves when the campaigns of a saved strategy have taken it over, so that the uploader finds them; after 2 s in any
 * case, since the strategy is saved and the campaigns will take it over. The result is the `campaign_id`s that the
 * Campaign API has created at the same moment: the campaign's actor took that first, and the strategy's is refused.
 */
export async function waitForCampaigns(
  { store, clock }: Pick<ManagementDeps, 'store' | 'clock'>,
  saved: SavedStrategy,
): Promise<readonly string[]> {
  const taken: string[] = [];
  const { revision, told } = saved;
  const untilMs = clock.monotonic() + timeoutMs;
  let missing = told;
  while (missing.length > 0) {
    const polled = missing.slice(0, campaignsPerPoll);
    const documents = await store.load(polled.map((id) => ({ kind: campaign.kind, id })));
    const stillMissing = polled.filter((_, index) => {
      const state = (documents[index]?.state ?? null) as CampaignState | null;
      if (state === null || state.campaign === null) return true;
      const isOfApi = state.origin === 'api' && !state.retired;
      if (isOfApi) taken.push(state.campaign.campaign_id);
      return !isOfApi && state.strategyRevision < revision;
    });
    missing = [...stillMissing, ...missing.slice(campaignsPerPoll)];
    if (clock.monotonic() >= untilMs) break;
    if (stillMissing.length > 0) await pause(systemTimer, pollIntervalMs);
  }
  return taken;
}
