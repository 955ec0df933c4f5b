import Type, { type Static } from 'typebox';
import type { AuctionRecord } from './record.ts';

/** A stored record: the fields that queries read, and the record itself. */
export const AuctionRecordState = Type.Object({
  /** The record's own id, which sorts by time; '' while nothing was recorded. */
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
  /** True once it is final which of the sales were rendered. */
  settled: Type.Boolean(),
  /** The tracking ids of the sales that were rendered and billed, once the record is settled. */
  shown: Type.Array(Type.String()),
  /** The {@link AuctionRecord} as JSON text: strangers send names and depths of nesting that no database accepts. */
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
