import { randomBytes } from 'node:crypto';
import { auctionRecord } from '../../actors/auction-record/auction-record.ts';
import type { AuctionRecord } from '../../actors/auction-record/record.ts';
import { newRecordId } from '../../actors/auction-record/record-id.ts';
import { auctionRecordIndex } from '../../actors/auction-record/record-index.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import { makeAuctionRecord } from './auction-record.ts';
import { eventually } from './eventually.ts';

/** Sends an auction record as an edge does, and resolves with its id when it can be read. */
export async function tellAuctionRecord(
  { messenger, store }: { readonly messenger: Messenger; readonly store: Pick<StateStore, 'load'> },
  fields: Partial<AuctionRecord> = {},
): Promise<string> {
  const record = makeAuctionRecord(fields);
  const id = newRecordId(record.atMs, randomBytes(16));
  const { reasons, marks, ...found } = auctionRecordIndex(record);
  const body = { ...found, reasons: [...reasons], marks: [...marks], record: JSON.stringify(record) };
  await messenger.tell(auctionRecord, id, 'record', body);
  await eventually('the auction to be saved', async () => (await store.load([{ kind: auctionRecord.kind, id }]))[0]);
  return id;
}
