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
  /** Whether it is known for good what was shown of what was sold. */
  settled: Type.Boolean(),
  /** Once it is: the tracking ids of what was shown, and is billed. */
  shown: Type.Array(Type.String()),
  /** JSON of an {@link AuctionRecord}: text, for what strangers send fits no database's idea of names and depths. */
  record: Type.String(),
});
export type AuctionRecordState = Static<typeof AuctionRecordState>;

export const emptyAuctionRecord: AuctionRecordState = {
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
  settled: false,
  shown: [],
  record: '',
};

export function parseAuctionRecord({ record }: AuctionRecordState): AuctionRecord {
  return JSON.parse(record);
}
