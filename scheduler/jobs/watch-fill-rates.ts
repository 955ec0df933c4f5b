import { fillRateWatch } from '../../actors/fill-rate-watch/fill-rate-watch.ts';
import { GRAINS } from '../../actors/ledger/grain.ts';
import { readLedgerPages } from '../../actors/ledger/read-ledgers.ts';
import { countOf } from '../../actors/ledger/report/ledger-sum.ts';
import { sumLedgers } from '../../actors/ledger/report/sum-ledgers.ts';
import { publisher } from '../../actors/publisher/publisher.ts';
import type { PublisherState } from '../../actors/publisher/reduce.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import { readPages } from '../../runtime/ports/read-pages.ts';
import type { ActorDocument, StateStore } from '../../runtime/ports/store.ts';
import type { Job } from '../job.ts';
import { readWatermark } from '../watermark/read-watermark.ts';

const MINUTE_MS = 60_000;
/** The trailing window, in whole minutes, ms. */
const WINDOW_MS = 60 * MINUTE_MS;
/**
 * Books that lag by more than this many ms are not judged: an alert would be too late to be of use. Once they have
 * caught up, they are.
 */
const BEHIND_AT_MOST_MS = 8 * MINUTE_MS;
const PAGE = 500;
const MINUTES = GRAINS.find(({ name }) => name === 'minutes')!;

interface FillRateDeps {
  readonly store: Pick<StateStore, 'load' | 'page'>;
  readonly messenger: Messenger;
}

/** Checks the fill rate of the last hour in the books, for every source that has a threshold. */
export function watchFillRates({ store, messenger }: FillRateDeps): Job {
  return {
    name: 'watch-fill-rates',
    purpose: 'Tells webhooks when the fill rate of a supply source has fallen below its threshold.',
    cron: '*/5 * * * *',
    missed: 'none',
    async run({ nowMs, signal }) {
      const toMs = Math.floor((await readWatermark({ store })) / MINUTE_MS) * MINUTE_MS;
      if (nowMs - toMs > BEHIND_AT_MOST_MS) return 'the books are behind: nothing was looked at';
      let looked = 0;
      const where = { fillRateAlertThreshold: { gte: 0 }, status: { in: ['active', 'sandbox'] } };
      for await (const documents of readPages(store, publisher.kind, where, PAGE)) {
        for (const document of documents) if (!signal.aborted) await observe({ store, messenger }, document, toMs);
        looked += documents.length;
        if (signal.aborted) break;
      }
      return `sources looked at: ${looked}`;
    },
  };
}

async function observe({ store, messenger }: FillRateDeps, { id, state }: ActorDocument, toMs: number): Promise<void> {
  const source = state as PublisherState;
  const { accountId, partnerId, sandbox, name, sandboxGeneration, fillRateAlertThreshold: threshold } = source;
  if (threshold === null) return;
  const window = { grain: MINUTES, fromMs: toMs - WINDOW_MS, toMs };
  const { fromMs } = window;
  const ledgers = await readLedgerPages(store, [{ scope: 'publisher', id, sandbox, sandboxGeneration }], window);
  const sum = sumLedgers(ledgers, window);
  await messenger.tell(fillRateWatch, id, 'observed', {
    accountId,
    partnerId,
    sandbox,
    publisherName: name,
    threshold,
    imps: countOf(sum, 'imps'),
    filledImps: countOf(sum, 'filledImps'),
    fromMs,
    toMs,
  });
}
