import type { Loss, Win } from './auction.ts';

/**
 * Turns a winner into a loss when the auction took so long that its caller got no answer: nothing was sold, at no
 * price.
 */
export function expiredLoss({ dspId, bid, seat, group, priceCpmMicros, floorCpmMicros }: Win): Loss {
  return {
    dspId,
    offered: { bid, seat, group },
    malformed: null,
    reason: 'auction-expired',
    detail: null,
    priceCpmMicros,
    floorCpmMicros,
    winningCpmMicros: null,
    minToWinCpmMicros: null,
  };
}
