import { auctionRecord } from '../../actors/auction-record/auction-record.ts';
import type { AuctionRecord } from '../../actors/auction-record/record.ts';
import { lowestRecordId } from '../../actors/auction-record/record-id.ts';
import type { ReadRenderStatuses, SaleReference } from '../../actors/auction-record/render-status.ts';
import { type AuctionRecordState, parseAuctionRecord } from '../../actors/auction-record/state.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { FoundDocument, StateStore } from '../../runtime/ports/store.ts';
import type { Job } from '../job.ts';

/** Records in memory at once; some kilobytes each. */
const AT_A_TIME = 200;

/**
 * Writes into recorded auctions what was shown of what they sold, while the log knows it still: in the second half of the hour that
 * it remembers impressions after their render window. In the first, edges that the log was away from may replay their spools.
 */
export function settleAuctionRecords(parts: {
  readonly store: Pick<StateStore, 'query'>;
  readonly messenger: Pick<Messenger, 'tell'>;
  readonly renderings: ReadRenderStatuses;
  readonly renderWindowMs: number;
  /** How long after the window the log remembers impressions. */
  readonly rememberedMs: number;
}): Job {
  const { store, messenger, renderings, renderWindowMs, rememberedMs } = parts;

  /** False where it is too early, too late or not known now. */
  const settle = async ({ id, state }: Pick<FoundDocument, 'id'> & { readonly state: unknown }): Promise<boolean> => {
    const sales = salesOf(parseAuctionRecord(state as AuctionRecordState));
    if (sales === null) return false;
    const found = await renderings(sales);
    if (found.includes('awaited') || found.includes('unknown')) return false;
    const shown = sales.filter((_, index) => found[index] === 'billed').map(({ trackingId }) => trackingId);
    await messenger.tell(auctionRecord, id, 'settle', { shown });
    return true;
  };

  return {
    name: 'settle-auction-records',
    purpose: 'Writes into recorded auctions which of their ads were shown, before the log forgets it.',
    cron: '5-59/10 * * * *',
    missed: 'none',
    async run({ nowMs, signal }) {
      const end = lowestRecordId(nowMs - renderWindowMs - rememberedMs / 2);
      let from = lowestRecordId(nowMs - renderWindowMs - rememberedMs);
      let settled = 0;
      for (;;) {
        signal.throwIfAborted();
        const where = { key: { gte: from, lt: end }, settled: false };
        const { documents } = await store.query(auctionRecord.kind, { where, orderBy: 'key', limit: AT_A_TIME });
        settled += (await Promise.all(documents.map(settle))).filter(Boolean).length;
        if (documents.length < AT_A_TIME) return `${settled} settled`;
        // Just above the last one's id.
        from = `${documents.at(-1)!.id}~`;
      }
    },
  };
}

/** Null of a record of before sales were recorded with their time. */
function salesOf({ sold }: AuctionRecord): SaleReference[] | null {
  const sales = sold.flatMap(({ trackingId, soldAtMs }) => (soldAtMs === undefined ? [] : [{ trackingId, soldAtMs }]));
  return sales.length === sold.length ? sales : null;
}
