import type { AuctionRecord } from '../../../../../actors/auction-record/record.ts';
import { truncate } from '../../../../../edge/recording/shortened.ts';

/**
 * The highest price that was bid on an imp by others than `dspId` and might have bought it: 0 where nobody did. Bids that were turned
 * down for what they were are in nobody's way. Whole micro-dollars CPM.
 */
export function highestCompetingPrice({ parts }: AuctionRecord, impId: string, dspId: string): number {
  const recorded = truncate(impId);
  let highest = 0;
  for (const part of parts) {
    if (part.dspId === dspId) continue;
    for (const bid of part.bids) {
      if (bid.impId !== recorded || !(bid.reason === null || bid.reason === 'lost-to-higher-bid')) continue;
      highest = Math.max(highest, (bid.reason === null ? bid.winningCpmMicros : bid.priceCpmMicros) ?? 0);
    }
  }
  return highest;
}
