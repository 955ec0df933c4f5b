import type { AuctionRecord } from '#actors/auction-record/record';
import { truncate } from '#edge/recording/shortened';

/**
 * The highest price that demand sources other than `dspId` bid on an imp with a bid that could have bought it; 0 when
 * there was none. Bids refused for what they were do not compete. The price is in whole micro-dollars CPM.
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
