import type { Bid, BidResponse } from '../../../exchange/openrtb/bid-response.ts';
import { CURRENCY } from '../../../exchange/openrtb/currency.ts';
import { shallowCopy } from '../../../exchange/openrtb/shallow-copy.ts';
import type { SoldImp } from '../auction/sold-imp.ts';
import type { TrackingMint } from '../tracking/mint.ts';

const NOT_ANSWERED = ['lurl'];

/**
 * Our answer to an OpenRTB request (2.6 §4.2): what was sold, grouped by demand source and seat. Where several ads share an imp
 * (2.6 §7.6), only neighbours are grouped: read from first to last, the bids are in the order in which they are shown. `price` is the clearing
 * price; `burl` bills the impression once, however often it is called and whether or not the pixel fires too; `nurl`
 * tells the demand source that the caller took its ad. `lurl` stays ours: we know who lost.
 */
export function bidResponse(requestId: string, sold: readonly SoldImp[], mint: TrackingMint): BidResponse {
  const seats: { dspId: string; seat: string; bid: Bid[] }[] = [];
  const inOrder = sold.length > 1 && new Set(sold.map(({ win }) => win.impId)).size < sold.length;
  for (const imp of sold) {
    const { dspId } = imp.win;
    const seat = imp.win.seat ?? dspId;
    const among = inOrder ? seats.slice(-1) : seats;
    const known = among.find((other) => other.dspId === dspId && other.seat === seat);
    if (known) known.bid.push(answeredBid(imp, mint));
    else seats.push({ dspId, seat, bid: [answeredBid(imp, mint)] });
  }
  return { id: requestId, cur: CURRENCY, seatbid: seats.map(({ seat, bid }) => ({ seat, bid })) };
}

function answeredBid(sold: SoldImp, mint: TrackingMint): Bid {
  const { win, sale, trackingId, billingUrl, adm, winNoticeUrl, quietWinUrl } = sold;
  const bid = shallowCopy(win.bid, NOT_ANSWERED);
  bid.price = win.clearingCpmMicros / 1_000_000;
  bid.adm = adm;
  bid.burl = billingUrl;
  bid.nurl = (winNoticeUrl === null ? quietWinUrl : null) ?? mint.mintWin(sale, trackingId, winNoticeUrl);
  return bid;
}
