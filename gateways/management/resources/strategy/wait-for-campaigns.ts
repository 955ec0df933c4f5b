import { campaign } from '../../../../actors/campaign/campaign.ts';
import type { CampaignState } from '../../../../actors/campaign/reduce.ts';
import type { SavedStrategy } from '../../../../actors/strategy/reduce.ts';
import { pause, systemTimer } from '../../../../async/pause.ts';
import type { ManagementDeps } from '../../deps.ts';

const pollIntervalMs = 10;
const timeoutMs = 2_000;
/** Campaigns looked for at a time: they hear of it in no order, so that the first few that are missing say enough. */
const campaignsPerPoll = 50;

/**
 * Resolves when the campaigns of a saved strategy have heard of it, so that whoever uploaded it finds them; after two
 * seconds in any case: it is saved, and they will hear of it.
 */
export async function waitForCampaigns({ store, clock }: ManagementDeps, saved: SavedStrategy): Promise<void> {
  const { revision, told } = saved;
  const untilMs = clock.now() + timeoutMs;
  let missing = told;
  while (missing.length > 0) {
    const looked = missing.slice(0, campaignsPerPoll);
    const documents = await store.load(looked.map((id) => ({ kind: campaign.kind, id })));
    const stillMissing = looked.filter((_, index) => {
      return !isInstalled((documents[index]?.state ?? null) as CampaignState | null, revision);
    });
    missing = [...stillMissing, ...missing.slice(campaignsPerPoll)];
    if (clock.now() >= untilMs) return;
    if (stillMissing.length > 0) await pause(systemTimer, pollIntervalMs);
  }
}

/** A campaign that the Campaign API made in the same moment hears nothing: it stays what it is. */
function isInstalled(state: CampaignState | null, revision: number): boolean {
  if (state === null || state.campaign === null) return false;
  return state.strategyRevision >= revision || (state.origin === 'api' && !state.retired);
}
