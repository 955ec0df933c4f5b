import { campaign } from '../../../../actors/campaign/campaign.ts';
import type { CampaignState } from '../../../../actors/campaign/reduce.ts';
import type { SavedStrategy } from '../../../../actors/strategy/reduce.ts';
import { pause, systemTimer } from '../../../../async/pause.ts';
import type { ManagementParts } from '../../parts.ts';

const lookAgainMs = 10;
const longestMs = 2_000;
/** Campaigns looked for at a time: they hear of it in no order, so that the first few that are missing say enough. */
const fewAtATime = 50;

/**
 * Resolves when the campaigns of a saved strategy have heard of it, so that whoever uploaded it finds them; after two
 * seconds in any case: it is saved, and they will hear of it.
 */
export async function campaignsInstalled({ store, clock }: ManagementParts, saved: SavedStrategy): Promise<void> {
  const { revision, told } = saved;
  const untilMs = clock.now() + longestMs;
  let missing = told;
  while (missing.length > 0) {
    const looked = missing.slice(0, fewAtATime);
    const documents = await store.load(looked.map((id) => ({ kind: campaign.kind, id })));
    const stillMissing = looked.filter((_, index) => {
      return !hasHeard((documents[index]?.state ?? null) as CampaignState | null, revision);
    });
    missing = [...stillMissing, ...missing.slice(fewAtATime)];
    if (clock.now() >= untilMs) return;
    if (stillMissing.length > 0) await pause(systemTimer, lookAgainMs);
  }
}

/** A campaign that the Campaign API made in the same moment hears nothing: it stays what it is. */
function hasHeard(state: CampaignState | null, revision: number): boolean {
  if (state === null || state.campaign === null) return false;
  return state.strategyRevision >= revision || (state.origin === 'api' && !state.retired);
}
