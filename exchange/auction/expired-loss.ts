import type { Loss, Win } from './auction.ts';

/** What a winner becomes when the auction took so long that nobody was answered: nothing was sold, at no price. */
export function expiredLoss({ dspId, bid, seat, group, clearingCpmMicros, floorCpmMicros }: Win): Loss {
  return {
    dspId,
    offered: { bid, seat, group },
    malformed: null,
    reason: 'auction-expired',
    detail: null,
    priceCpmMicros: clearingCpmMicros,
    floorCpmMicros,
    winningCpmMicros: null,
    minToWinCpmMicros: null,
  };
}
