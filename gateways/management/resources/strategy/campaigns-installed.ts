import { setTimeout } from 'node:timers/promises';
import { campaign } from '../../../../actors/campaign/campaign.ts';
import type { CampaignState } from '../../../../actors/campaign/reduce.ts';
import type { SavedStrategy } from '../../../../actors/strategy/reduce.ts';
import type { ManagementParts } from '../../parts.ts';

const lookAgainMs = 10;
const longestMs = 2_000;

/**
 * Resolves when the campaigns of a saved strategy have heard of it, so that whoever uploaded it finds them; after two
 * seconds in any case: it is saved, and they will hear of it.
 */
export async function campaignsInstalled({ store, clock }: ManagementParts, saved: SavedStrategy): Promise<void> {
  const { revision, told } = saved;
  const untilMs = clock.now() + longestMs;
  let missing = told;
  while (missing.length > 0) {
    const documents = await store.load(missing.map((id) => ({ kind: campaign.kind, id })));
    const states = documents.map((document) => (document?.state ?? null) as CampaignState | null);
    missing = missing.filter((_, index) => !hasHeard(states[index] ?? null, revision));
    if (missing.length === 0 || clock.now() >= untilMs) return;
    await setTimeout(lookAgainMs);
  }
}

/** A campaign that the Campaign API made in the same moment hears nothing: it stays what it is. */
function hasHeard(state: CampaignState | null, revision: number): boolean {
  if (state === null || state.campaign === null) return false;
  return state.strategyRevision >= revision || (state.origin === 'api' && !state.retired);
}
