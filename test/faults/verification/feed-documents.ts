import { MongoClient } from 'mongodb';
import { feedPage } from '#actors/feed-page/feed-page';
import { LEDGER_WATERMARK_ID, type WatermarkState, watermark } from '#actors/watermark/watermark';
import type { FeedStore } from '#gateways/management/resources/feed/read-feed-pages';
import type { ActorDocument } from '#runtime/ports/store';
import { actorsOf, documentFromRest } from '#runtime/providers/mongodb/document-at-rest';
import { eventually } from '../../support/eventually.ts';

const COMPLETE_WITHIN_MS = 180_000;

/**
 * All pages of all feeds, read at once when they are complete up to now. For so many of them that a server which knows
 * no index of ids, as that of the tests, takes longer to find one than the store waits for it.
 * @param nowMs ms since the epoch, by the clock of the exchange
 */
export async function readFeedDocuments(mongodb: string, nowMs: number): Promise<FeedStore> {
  const client = await new MongoClient(mongodb).connect();
  try {
    const database = client.db(new URL(mongodb).pathname.slice(1));
    const throughMs = async () => {
      const stored = await actorsOf(database, watermark.kind).findOne({ _id: LEDGER_WATERMARK_ID });
      const document = stored && documentFromRest(watermark.kind, stored);
      return (document?.state as Partial<WatermarkState> | undefined)?.throughMs ?? 0;
    };
    await eventually('the ledgers to be complete', async () => (await throughMs()) > nowMs, {
      timeoutMs: COMPLETE_WITHIN_MS,
      everyMs: 500,
    });
    const pages = new Map<string, ActorDocument>();
    for await (const stored of actorsOf(database, feedPage.kind).find({}))
      pages.set(stored._id, documentFromRest(feedPage.kind, stored));
    const names = [...pages.keys()].sort();
    return {
      idsBetween: async (_, { after, below, limit }) =>
        names.filter((name) => name > after && (below === undefined || name < below)).slice(0, limit),
      load: async (keys) => keys.map(({ id }) => pages.get(id) ?? null),
    };
  } finally {
    await client.close();
  }
}
