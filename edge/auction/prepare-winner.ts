import type { Win } from '../../exchange/auction/auction.ts';
import { MAX_MARKUP } from '../../exchange/openrtb/bid-response-shape.ts';
import { substituteMacros } from '../../exchange/openrtb/macros.ts';
import type { WinnerMarkup } from '../../gateways/bidders/winner-markup.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { FrequencyCaps } from '../delegates/frequency-caps.ts';
import type { SoldCreative } from '../delegates/sold-creative.ts';
import { newTrackingId } from '../tracking/tracking-id.ts';
import type { OpenSale } from './auction-run.ts';
import { hasMarkup } from './has-markup.ts';
import { winValues } from './notice-values.ts';

export interface ReadyTerms {
  readonly markup: WinnerMarkup;
  readonly caps: FrequencyCaps;
  readonly clock: Clock;
  /** Monotonic ms: when the auction must be over. */
  readonly deadlineMs: number;
  /** How long a sold impression may still be shown. */
  readonly renderWindowMs: number;
}

/** Whether a winner must do what takes time before it can be sold. */
export function isUnready({ bid }: Win, sale: OpenSale): boolean {
  const shown = sale.creativeOf(bid);
  if (shown === undefined) return !hasMarkup(bid) && bid.nurl !== undefined;
  return shown.campaign.cap !== null && !sale.isPlaced(bid);
}

/** Has each of them do it, all at once. Never rejects: whoever fails is rejected in the sale. */
export async function readyWinners(wins: readonly Win[], sale: OpenSale, terms: ReadyTerms): Promise<void> {
  if (terms.clock.monotonic() >= terms.deadlineMs) sale.rejectWithoutMarkup();
  await Promise.all(
    wins.map((win) => {
      const shown = sale.creativeOf(win.bid);
      return shown === undefined ? fetchMarkup(win, sale, terms) : takePlace(win, shown, sale, terms);
    }),
  );
}

async function fetchMarkup(win: Win, sale: OpenSale, { markup, clock, deadlineMs }: ReadyTerms): Promise<void> {
  const values = winValues(sale.terms.order.request.id, win, sale.offerOf(win));
  const timeLeftMs = deadlineMs - clock.monotonic();
  const adm = timeLeftMs > 0 ? await markup.fetch(substituteMacros(win.bid.nurl!, values), timeLeftMs) : null;
  if (adm === null || adm.length > MAX_MARKUP) sale.reject(win.bid, 'creative-rejected');
  else sale.supplyMarkup(win.bid, adm);
}

async function takePlace(win: Win, { campaign }: SoldCreative, sale: OpenSale, terms: ReadyTerms): Promise<void> {
  const { order, nowMs } = sale.terms;
  const deviceKey = order.viewer.deviceKey!;
  const cap = { campaignId: campaign.id, maxImpressions: campaign.cap!.maxImpressions };
  const trackingId = newTrackingId();
  const untilMs = nowMs + terms.renderWindowMs;
  const taken = terms.caps.reserve(deviceKey, cap, trackingId, untilMs);
  if (await within(terms, taken)) {
    sale.place(win.bid, trackingId);
    return;
  }
  sale.reject(win.bid, 'frequency-cap-reached');
  void taken.then((late) => {
    if (late) terms.caps.release(deviceKey, campaign.id, trackingId);
  });
}

/** False when the auction is over first. */
function within({ clock, deadlineMs }: ReadyTerms, taken: Promise<boolean>): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(Math.max(0, deadlineMs - clock.monotonic()), () => resolve(false));
    void taken.then((is) => {
      cancel();
      resolve(is);
    });
  });
}
