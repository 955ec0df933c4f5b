import type { Loss, Win } from '../../exchange/auction/auction.ts';
import { lossCode } from '../../exchange/auction/loss-reason.ts';
import { cpmOf } from '../../exchange/money/price.ts';
import type { MacroValues } from '../../exchange/openrtb/macros.ts';
import type { BidderOffer } from '../demand-part.ts';

/** Loss reason code of a bid that won (OpenRTB 3.0, List: Loss Reason Codes). */
const BID_WON = '0';

/** What a winner's markup, `nurl` and `burl` are told. */
export function winMacroValues(requestId: string, win: Win, offer: BidderOffer): MacroValues {
  return {
    auctionId: requestId,
    bidId: offer.bidId ?? undefined,
    impId: win.impId,
    seatId: win.seat ?? undefined,
    adId: win.bid.adid,
    price: formatCpm(win.clearingCpmMicros),
    currency: offer.currency,
    // First price: what is cleared is what was bid.
    marketBidRatio: '1',
    loss: BID_WON,
    minToWin: formatCpm(win.minToWinCpmMicros),
    multiplier: '1',
  };
}

/** What a loser's `lurl` is told: the winning price too (specification, Loss notification). */
export function lossMacroValues(requestId: string, loss: Loss, offer: BidderOffer): MacroValues {
  return {
    auctionId: requestId,
    bidId: offer.bidId ?? undefined,
    impId: loss.offered?.bid.impid,
    seatId: loss.offered?.seat ?? undefined,
    adId: loss.offered?.bid.adid,
    price: loss.winningCpmMicros === null ? undefined : formatCpm(loss.winningCpmMicros),
    currency: offer.currency,
    marketBidRatio: ratio(loss),
    loss: String(lossCode(loss.reason)),
    minToWin: loss.minToWinCpmMicros === null ? undefined : formatCpm(loss.minToWinCpmMicros),
  };
}

/** What was paid ÷ what was bid; unknown where nothing was sold or the bid names no price. Four decimals at most. */
function ratio({ winningCpmMicros, priceCpmMicros }: Loss): string | undefined {
  if (winningCpmMicros === null || !priceCpmMicros) return undefined;
  return String(Math.round((winningCpmMicros / priceCpmMicros) * 10_000) / 10_000);
}

/** Whole micro-dollars as a decimal: at least a millionth, so never in exponent form. */
function formatCpm(micros: number): string {
  return String(cpmOf(micros));
}
