import type { SoldImp } from '#edge/auction/sold-imp';
import type { TrackingMint } from '#edge/tracking/mint';
import type { AdFormat } from '#exchange/auction/ad-format';
import { CURRENCY } from '#exchange/currency/currency';
import { cpmIn } from '#exchange/currency/currency-rates';
import type { RequestCurrencies } from '#exchange/currency/request-currencies';
import type { Bid, BidResponse } from '#exchange/openrtb/bid-response';
import { seatOf } from '#exchange/openrtb/parse-bid-response';
import { shallowCopy } from '#exchange/openrtb/shallow-copy';
import type { Notices } from '../../bidders/notices/notices.ts';

const NOT_ANSWERED = ['lurl'];
const PLAYED: ReadonlySet<AdFormat> = new Set(['video', 'audio']);

/** `mtype` (OpenRTB 2.6 §4.2.3). */
const MARKUP_TYPES: Readonly<Record<AdFormat, number>> = { banner: 1, video: 2, audio: 3, native: 4 };

export interface AnswerPolicy {
  /** ms after its auction within which an impression may be rendered. */
  readonly renderWindowMs: number;
  /** Whether a page asked, and not a server. */
  readonly toPage: boolean;
  /** How prices are converted for the caller; null or absent: they are in US dollars. */
  readonly currencies?: RequestCurrencies | null | undefined;
}

/**
 * The exchange's answer to an OpenRTB request (2.6 §4.2): the sold imps, grouped by DSP and seat. Where several ads
 * share an imp (2.6 §7.6), only neighbours are grouped: read from first to last, the bids are in the order in which
 * they are shown. `price` is the clearing price, in the currency of the answer. `burl` bills the impression once,
 * however often it is called and whether or not the pixel is called too. `nurl` reports to the DSP that the caller took
 * its ad. An ad that is played on a page has no `nurl`: players there take a `nurl` beside VAST for the address of the
 * VAST (Prebid.js makes it `vastUrl`). The first billed impression sends the win notice, or {@link sendUncarriedWins}
 * does. `lurl` is left out: the exchange itself knows the losers.
 *
 * Each bid states what it was sold as (`mtype`) and for how many seconds its impression counts (`exp`): at most
 * `renderWindowMs`, less where the DSP said so. A bidder with OpenRTB 2.5 sends no `mtype`, and many send neither;
 * clients refuse bids without them.
 */
export function bidResponse(
  requestId: string,
  sold: readonly SoldImp[],
  mint: TrackingMint,
  policy: AnswerPolicy,
): BidResponse {
  const seats: { dspId: string; seat: string; bid: Bid[] }[] = [];
  const inOrder = sold.length > 1 && new Set(sold.map(({ win }) => win.impId)).size < sold.length;
  for (const imp of sold) {
    const { dspId } = imp.win;
    const seat = seatOf(imp.win, dspId);
    const among = inOrder ? seats.slice(-1) : seats;
    const known = among.find((other) => other.dspId === dspId && other.seat === seat);
    if (known) known.bid.push(responseBid(imp, mint, policy));
    else seats.push({ dspId, seat, bid: [responseBid(imp, mint, policy)] });
  }
  return {
    id: requestId,
    cur: policy.currencies?.answer ?? CURRENCY,
    seatbid: seats.map(({ seat, bid }) => ({ seat, bid })),
  };
}

function responseBid(sold: SoldImp, mint: TrackingMint, { renderWindowMs, toPage, currencies }: AnswerPolicy): Bid {
  const windowSeconds = Math.max(1, Math.floor(renderWindowMs / 1_000));
  const { win, sale, trackingId, billingUrl, adm, winNoticeUrl, quietWinUrl } = sold;
  const bid = shallowCopy(win.bid, NOT_ANSWERED);
  bid.price = answeredPrice(win.clearingCpmMicros, currencies);
  bid.adm = adm;
  bid.burl = billingUrl;
  bid.mtype = MARKUP_TYPES[win.format];
  bid.exp = win.bid.exp !== undefined && win.bid.exp > 0 ? Math.min(win.bid.exp, windowSeconds) : windowSeconds;
  if (toPage && PLAYED.has(win.format)) bid.nurl = undefined;
  else bid.nurl = (winNoticeUrl === null ? quietWinUrl : null) ?? mint.mintWin(sale, trackingId, winNoticeUrl);
  return bid;
}

/**
 * Sends the win notices of ads that are played on a page and whose tracking URLs cannot carry them: of a sale in test
 * mode, which no impression bills, and notices that are too long.
 */
export function sendUncarriedWins(sold: readonly SoldImp[], notices: Pick<Notices, 'send'>): void {
  for (const { win, sale, winNoticeUrl } of sold) {
    if (winNoticeUrl === null || sale.winNoticeUrl !== undefined || !PLAYED.has(win.format)) continue;
    notices.send('win', winNoticeUrl, sale.dspId);
  }
}

function answeredPrice(clearingCpmMicros: number, currencies: RequestCurrencies | null | undefined): number {
  const isConverted = currencies && currencies.answer !== CURRENCY;
  return cpmIn(clearingCpmMicros, isConverted ? currencies.rates.dollarsPerUnit(currencies.answer)! : 1);
}
