import { auctionRecord } from '../../actors/auction-record/auction-record.ts';
import type { AuctionRecord } from '../../actors/auction-record/record.ts';
import { lowestRecordId } from '../../actors/auction-record/record-id.ts';
import type { ReadRenderStatuses, SaleReference } from '../../actors/auction-record/render-status.ts';
import { type AuctionRecordState, parseAuctionRecord } from '../../actors/auction-record/state.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import { readIds } from '../../runtime/ports/read-pages.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import type { Job } from '../job.ts';

/** The number of records in memory at once; each takes some kilobytes. */
const AT_A_TIME = 200;
/** The fields of a record that are read. */
const READ_FIELDS = ['settled', 'record'];

/**
 * Writes into recorded auctions which of their sales were rendered, while the log still knows: in the second half of
 * the hour for which the log remembers impressions after their render window. In the first half, edges that lost the
 * log may still replay their spools. Records are read by their ids, which sort by time: a query would take an index of
 * all records into the memory of the embedded store, and this job would keep it there.
 */
export function settleAuctionRecords(deps: {
  readonly store: Pick<StateStore, 'idsBetween' | 'load'>;
  readonly messenger: Pick<Messenger, 'tell'>;
  readonly renderings: ReadRenderStatuses;
  readonly renderWindowMs: number;
  /** How long after the window the log remembers impressions, ms. */
  readonly rememberedMs: number;
}): Job {
  const { store, messenger, renderings, renderWindowMs, rememberedMs } = deps;

  /** Resolves with false where it is settled already, and where it is too early, too late or currently unknown. */
  const settle = async (id: string, state: AuctionRecordState): Promise<boolean> => {
    if (state.settled) return false;
    const sales = salesOf(parseAuctionRecord(state));
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
      const below = lowestRecordId(nowMs - renderWindowMs - rememberedMs / 2);
      const after = lowestRecordId(nowMs - renderWindowMs - rememberedMs);
      let settled = 0;
      signal.throwIfAborted();
      for await (const ids of readIds(store, auctionRecord.kind, { after, below, limit: AT_A_TIME })) {
        signal.throwIfAborted();
        const documents = await store.load(
          ids.map((id) => ({ kind: auctionRecord.kind, id })),
          READ_FIELDS,
        );
        const outcomes = documents.map((document) =>
          document === null || document.deleted ? false : settle(document.id, document.state as AuctionRecordState),
        );
        settled += (await Promise.all(outcomes)).filter(Boolean).length;
      }
      return `${settled} settled`;
    },
  };
}

/** The sales of a record; null for one in test mode, and for one from before sales were recorded with their time. */
function salesOf({ sold, test }: AuctionRecord): SaleReference[] | null {
  if (test) return null;
  const sales = sold.flatMap(({ trackingId, soldAtMs }) => (soldAtMs === undefined ? [] : [{ trackingId, soldAtMs }]));
  return sales.length === sold.length ? sales : null;
}
