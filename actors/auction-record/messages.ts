import Type from 'typebox';
import { AuctionRecordState } from './state.ts';

const { key: _, settled: __, shown, ...recorded } = AuctionRecordState.properties;

export const auctionRecordMessages = {
  /** Once in its life, by the edge that held the auction. */
  record: Type.Object(recorded),
  /** When it can change no more: which of its sales were shown. */
  settle: Type.Object({ shown }),
};
