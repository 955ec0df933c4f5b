import { campaign } from '#actors/campaign/campaign';
import type { DspState } from '#actors/dsp/reduce';
import type { StrategyState } from '#actors/strategy/reduce';
import { strategy } from '#actors/strategy/strategy';
import { mapLimit } from '#async/map-limit';
import { readPages } from '#runtime/ports/read-pages';
import type { ManagementDeps } from '../deps.ts';

/** The number of concurrent asks. */
const AT_ONCE = 64;
const PAGE = 500;
/** The timeout of closing a strategy in ms: it saves messages to thousands of campaigns. */
const CLOSE_TIMEOUT_MS = 20_000;

/**
 * Closes the strategy of an archived demand source and retires all its campaigns, so that no process holds them any
 * more. The strategy of a delegate is closed also where none was saved: an upload may be under way. A repetition
 * completes what an earlier call has left undone.
 */
export async function closeDelegate(
  { store, messenger }: Pick<ManagementDeps, 'store' | 'messenger'>,
  dspId: string,
  { mode }: Pick<DspState, 'mode'>,
): Promise<void> {
  const [document] = await store.load([{ kind: strategy.kind, id: dspId }]);
  const { closed = false } = (document?.state ?? {}) as Partial<StrategyState>;
  const mayBeSaved = mode === 'delegate' || document?.state;
  if (mayBeSaved && !closed) await closeStrategy({ messenger }, dspId);
  for await (const documents of readPages(store, campaign.kind, { dspId, status: { not: 'retired' } }, PAGE)) {
    await mapLimit(documents, AT_ONCE, ({ id }) => messenger.ask(campaign, id, 'close', {}));
  }
}

export async function closeStrategy({ messenger }: Pick<ManagementDeps, 'messenger'>, dspId: string): Promise<void> {
  await messenger.ask(strategy, dspId, 'close', {}, { timeoutMs: CLOSE_TIMEOUT_MS });
}
