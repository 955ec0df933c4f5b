import { auctionRecord } from '#actors/auction-record/auction-record';
import type { AuctionRecord } from '#actors/auction-record/record';
import { lowestRecordId } from '#actors/auction-record/record-id';
import { type AuctionRecordState, parseAuctionRecord } from '#actors/auction-record/state';
import type { StateReads } from '#runtime/ports/store';
import type { Hour } from './hour.ts';

/** The records in memory at once; each takes some kilobytes. */
const AT_A_TIME = 100;

/**
 * The live auctions of an hour that edges have recorded, by the time of the auction. Those in test mode (OpenRTB 2.6
 * §3.2.1) are left out: they count in no log-level data.
 */
export async function* recordedAuctions(
  store: Pick<StateReads, 'query'>,
  hour: Hour,
): AsyncGenerator<{ readonly id: string; readonly record: AuctionRecord }> {
  const end = lowestRecordId(hour.endMs);
  for (let from = lowestRecordId(hour.startMs); ; ) {
    const where = { key: { gte: from, lt: end }, sandbox: false };
    const { documents } = await store.query(auctionRecord.kind, { where, orderBy: 'key', limit: AT_A_TIME });
    for (const { id, state } of documents) {
      const record = parseAuctionRecord(state as AuctionRecordState);
      if (!record.test) yield { id, record };
    }
    if (documents.length < AT_A_TIME) return;
    // The bound is just above the last record's id.
    from = `${documents.at(-1)!.id}~`;
  }
}
