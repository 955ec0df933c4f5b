import Type, { type Static } from 'typebox';
import type { AuctionRecord } from './record.ts';

/** A record at rest: what queries look at, and the record itself. */
export const AuctionRecordState = Type.Object({
  /** Its own id, which sorts by time; '' while nothing was recorded. */
  key: Type.String(),
  auctionId: Type.String(),
  sandbox: Type.Boolean(),
  region: Type.String(),
  accountId: Type.String(),
  publisherKey: Type.String(),
  poolId: Type.String(),
  outcome: Type.String(),
  reasons: Type.Array(Type.String()),
  marks: Type.Array(Type.String()),
  replayable: Type.Boolean(),
  /** JSON of an {@link AuctionRecord}: text, for what strangers send fits no database's idea of names and depths. */
  record: Type.String(),
});
export type AuctionRecordState = Static<typeof AuctionRecordState>;

export const noAuction: AuctionRecordState = {
  key: '',
  auctionId: '',
  sandbox: false,
  region: '',
  accountId: '',
  publisherKey: '',
  poolId: '',
  outcome: '',
  reasons: [],
  marks: [],
  replayable: false,
  record: '',
};

export function recordOf({ record }: AuctionRecordState): AuctionRecord {
  return JSON.parse(record);
}
