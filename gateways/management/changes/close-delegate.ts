import { campaign } from '#actors/campaign/campaign';
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
 * more. A repetition completes what an earlier call has left undone.
 */
export async function closeDelegate(
  { store, messenger }: Pick<ManagementDeps, 'store' | 'messenger'>,
  dspId: string,
): Promise<void> {
  const [document] = await store.load([{ kind: strategy.kind, id: dspId }]);
  const saved = document?.state as StrategyState | null | undefined;
  if (saved && saved.json !== '' && !saved.closed) {
    await messenger.ask(strategy, dspId, 'close', {}, { timeoutMs: CLOSE_TIMEOUT_MS });
  }
  for await (const documents of readPages(store, campaign.kind, { dspId, status: { not: 'retired' } }, PAGE)) {
    await mapLimit(documents, AT_ONCE, ({ id }) => messenger.ask(campaign, id, 'close', {}));
  }
}
