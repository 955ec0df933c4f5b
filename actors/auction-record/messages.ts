import Type from 'typebox';
import { AuctionRecordState } from './state.ts';

const { key: _, settled: __, shown, ...recorded } = AuctionRecordState.properties;

export const auctionRecordMessages = {
  /** The edge that held the auction sends this once in the record's life. */
  record: Type.Object(recorded),
  /** Settles the record when it can change no more: which of its sales were rendered. */
  settle: Type.Object({ shown }),
};
