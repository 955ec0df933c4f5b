import Type from 'typebox';
import { AuctionRecordState } from './state.ts';

const { key: _, ...recorded } = AuctionRecordState.properties;

export const auctionRecordMessages = {
  /** Once in its life, by the edge that held the auction. */
  record: Type.Object(recorded),
};
