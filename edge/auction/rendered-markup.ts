import type { Win } from '../../exchange/auction/auction.ts';
import { dealOf } from '../../exchange/auction/deals.ts';
import type { LossReason } from '../../exchange/auction/loss-reason.ts';
import { type Rejection, rejectedFor } from '../../exchange/auction/rejection.ts';
import { injectTracking } from '../../exchange/creative/inject-tracking.ts';
import type { InjectionRefusal } from '../../exchange/creative/injection.ts';
import type { ViewabilityUrl } from '../../exchange/creative/viewability-url.ts';
import { MAX_FILLED_MARKUP, type MacroValues, substituteMacros } from '../../exchange/openrtb/macros.ts';
import type { SoldCreative } from '../delegates/sold-creative.ts';
import type { BidderOffer } from '../demand-part.ts';
import type { SaleContext } from './sale-context.ts';

export interface TrackedWin {
  readonly offer: BidderOffer;
  readonly values: MacroValues;
  readonly trackingId: string;
  readonly trackingUrl: string;
  readonly viewUrl: ViewabilityUrl | undefined;
}

export type RenderedMarkup = { readonly adm: string } | { readonly refusal: Rejection };

const REJECTED: RenderedMarkup = { refusal: rejectedFor('creative-rejected') };
const TOO_MUCH_MARKUP: RenderedMarkup = {
  refusal: rejectedFor('creative-rejected', 'its macros make too much markup'),
};
/** Why a bid loses whose markup the imp does not take: the reason says it all. */
const MISFITS: Readonly<Partial<Record<InjectionRefusal, LossReason>>> = {
  'duration-not-allowed': 'duration-not-allowed',
  'media-not-allowed': 'format-not-offered',
};

/**
 * The winner's markup with the exchange's tracker in it and its macros filled in; the reason when that is impossible.
 */
export function renderedMarkup(
  win: Win,
  shown: SoldCreative | null,
  { offer, values, trackingId, trackingUrl, viewUrl }: TrackedWin,
  { auction, render, edgeUrl, hosted }: SaleContext,
): RenderedMarkup {
  const { device, imp: imps } = auction.request;
  const imp = imps.find(({ id }) => id === win.impId)!;
  const { format, bid } = win;
  if (shown === null) {
    if (bid.adm === undefined) return REJECTED;
    const terms = { player: auction.player, imp, dur: bid.dur, deal: dealOf(win, imp), viewUrl };
    const ours = hosted?.(win, offer, imp) ?? null;
    if (ours !== null) {
      const injection = injectTracking(format, substituteMacros(ours, values), trackingUrl, terms);
      if (injection.ok) return injection;
    }
    const filled = substituteMacros(bid.adm, values);
    if (filled.length > MAX_FILLED_MARKUP) return TOO_MUCH_MARKUP;
    const injection = injectTracking(format, filled, trackingUrl, terms);
    if (injection.ok) return injection;
    const misfit = MISFITS[injection.reason];
    if (misfit !== undefined) return { refusal: rejectedFor(misfit) };
    const reason = injection.reason === 'vast-not-taken' ? 'vast-not-taken' : 'creative-rejected';
    return { refusal: rejectedFor(reason, injection.message) };
  }
  const terms = { format, imp, device, trackingUrl, viewUrl, servingId: trackingId, edgeUrl };
  const rendered = render(shown.creative, terms);
  return rendered.ok ? rendered : REJECTED;
}
