import { campaign } from '#actors/campaign/campaign';
import type { DspState } from '#actors/dsp/reduce';
import { mapLimit } from '#async/map-limit';
import { readPages } from '#runtime/ports/read-pages';
import type { Query } from '#runtime/ports/store';
import type { ManagementDeps } from '../../deps.ts';
import { campaignBudgetId } from './campaign.ts';

/** The number of concurrent asks. */
const AT_ONCE = 64;
const PAGE = 500;
const EXHAUSTED: readonly NonNullable<Query['where']>[] = [{ totalExhausted: true }, { exhaustedDay: { gte: '0' } }];

/**
 * Has the campaigns of demand sources (by id) forget that a budget is spent which is theirs no more: the sources have
 * moved to the other environment, or their sandbox was reset. A campaign shows the right status without it; lists by
 * status go by what campaigns have kept.
 */
export async function forgetExhausted(
  { store, messenger }: ManagementDeps,
  dsps: ReadonlyMap<string, Pick<DspState, 'sandbox' | 'sandboxGeneration'>>,
): Promise<void> {
  if (dsps.size === 0) return;
  for (const exhausted of EXHAUSTED) {
    const where = { dspId: { in: [...dsps.keys()] }, ...exhausted };
    for await (const documents of readPages(store, campaign.kind, where, PAGE)) {
      await mapLimit(documents, AT_ONCE, async ({ id, state }) => {
        const budgetId = campaignBudgetId(id, dsps.get((state as { readonly dspId: string }).dspId)!);
        await messenger.ask(campaign, id, 'forget-exhausted', { budgetId });
      });
    }
  }
}
