import { auctionRecord } from '../../actors/auction-record/auction-record.ts';
import type { AuctionRecord } from '../../actors/auction-record/record.ts';
import { lowestRecordId } from '../../actors/auction-record/record-id.ts';
import type { ReadRenderStatuses, SaleReference } from '../../actors/auction-record/render-status.ts';
import { type AuctionRecordState, parseAuctionRecord } from '../../actors/auction-record/state.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { FoundDocument, StateStore } from '../../runtime/ports/store.ts';
import type { Job } from '../job.ts';

/** The number of records in memory at once; each takes some kilobytes. */
const AT_A_TIME = 200;

/**
 * Writes into recorded auctions which of their sales were rendered, while the log still knows: in the second half of
 * the hour for which the log remembers impressions after their render window. In the first half, edges that lost the
 * log may still replay their spools.
 */
export function settleAuctionRecords(deps: {
  readonly store: Pick<StateStore, 'query'>;
  readonly messenger: Pick<Messenger, 'tell'>;
  readonly renderings: ReadRenderStatuses;
  readonly renderWindowMs: number;
  /** How long after the window the log remembers impressions, ms. */
  readonly rememberedMs: number;
}): Job {
  const { store, messenger, renderings, renderWindowMs, rememberedMs } = deps;

  /** Resolves with false where it is too early, too late or currently unknown. */
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
        // The bound is just above the last record's id.
        from = `${documents.at(-1)!.id}~`;
      }
    },
  };
}

/** The sales of a record; null for a record from before sales were recorded with their time. */
function salesOf({ sold }: AuctionRecord): SaleReference[] | null {
  const sales = sold.flatMap(({ trackingId, soldAtMs }) => (soldAtMs === undefined ? [] : [{ trackingId, soldAtMs }]));
  return sales.length === sold.length ? sales : null;
}
