import type { Loss, Win } from '../../exchange/auction/auction.ts';
import { lossCode } from '../../exchange/auction/loss-reason.ts';
import { cpmIn, dollarMicros } from '../../exchange/currency/currency-rates.ts';
import { cpmOf } from '../../exchange/money/price.ts';
import type { MacroValues } from '../../exchange/openrtb/macros.ts';
import type { BidderOffer } from '../demand-part.ts';

/** Loss reason code of a bid that won (OpenRTB 3.0, List: Loss Reason Codes). */
const BID_WON = '0';

/** Macro values of a winner's markup, `nurl` and `burl`. */
export function winMacroValues(requestId: string, win: Win, offer: BidderOffer): MacroValues {
  return {
    auctionId: requestId,
    bidId: offer.bidId ?? undefined,
    impId: win.impId,
    seatId: win.seat ?? undefined,
    adId: win.bid.adid,
    price: clearingPrice(win, offer),
    currency: offer.currency,
    marketBidRatio: ratio(win.clearingCpmMicros, dollarMicros(win.bid.price, offer.dollarsPerUnit ?? 1)),
    loss: BID_WON,
    minToWin: minToWin(win.minToWinCpmMicros, offer),
    multiplier: '1',
  };
}

/** Macro values of a loser's `lurl`, which include the winning price (specification, Loss notification). */
export function lossMacroValues(requestId: string, loss: Loss, offer: BidderOffer): MacroValues {
  return {
    auctionId: requestId,
    bidId: offer.bidId ?? undefined,
    impId: loss.offered?.bid.impid,
    seatId: loss.offered?.seat ?? undefined,
    adId: loss.offered?.bid.adid,
    price: loss.winningCpmMicros === null ? undefined : formatCpm(loss.winningCpmMicros, offer),
    currency: offer.currency,
    marketBidRatio: ratio(loss.winningCpmMicros, loss.priceCpmMicros),
    loss: String(lossCode(loss.reason)),
    minToWin: loss.minToWinCpmMicros === null ? undefined : minToWin(loss.minToWinCpmMicros, offer),
  };
}

/**
 * Clearing price ÷ bid price, with four decimals at most: 1 for a winner, but for one that pays an agreed price.
 * Undefined where nothing was sold or the bid names no price.
 */
function ratio(clearingCpmMicros: number | null, priceCpmMicros: number | null): string | undefined {
  if (clearingCpmMicros === null || !priceCpmMicros) return undefined;
  return String(Math.round((clearingCpmMicros / priceCpmMicros) * 10_000) / 10_000);
}

/** A winner that pays what it bid is told its own price, and not that price converted there and back. */
function clearingPrice({ bid, clearingCpmMicros }: Win, offer: BidderOffer): string {
  const { dollarsPerUnit } = offer;
  if (dollarsPerUnit === undefined || dollarMicros(bid.price, dollarsPerUnit) !== clearingCpmMicros) {
    return formatCpm(clearingCpmMicros, offer);
  }
  return String(Math.round(bid.price * 1_000_000) / 1_000_000);
}

/** Rounded up, so that a bid of it reaches it. */
function minToWin(micros: number, offer: BidderOffer): string {
  return formatCpm(micros, offer, Math.ceil);
}

/**
 * Writes whole micro-dollars as a decimal in the offer's currency. The least value is a millionth, so the result is
 * never in exponent form.
 */
function formatCpm(micros: number, { dollarsPerUnit }: BidderOffer, round = Math.round): string {
  return String(dollarsPerUnit === undefined ? cpmOf(micros) : cpmIn(micros, dollarsPerUnit, round));
}
