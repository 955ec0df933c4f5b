import type { Win } from '../../exchange/auction/auction.ts';
import { injectTracking } from '../../exchange/creative/inject-tracking.ts';
import type { ViewabilityUrl } from '../../exchange/creative/viewability-url.ts';
import { type MacroValues, substituteMacros } from '../../exchange/openrtb/macros.ts';
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

/** The winner's markup with the exchange's tracker in it and its macros filled in; null when that is impossible. */
export function renderedMarkup(
  win: Win,
  shown: SoldCreative | null,
  { offer, values, trackingId, trackingUrl, viewUrl }: TrackedWin,
  { auction, render, hosted }: SaleContext,
): string | null {
  const { device, imp: imps } = auction.request;
  const imp = imps.find(({ id }) => id === win.impId)!;
  const { format, bid } = win;
  if (shown === null) {
    if (bid.adm === undefined) return null;
    const terms = { player: auction.player, imp, viewUrl };
    const ours = hosted?.(win, offer, imp) ?? null;
    if (ours !== null) {
      const injection = injectTracking(format, substituteMacros(ours, values), trackingUrl, terms);
      if (injection.ok) return injection.adm;
    }
    const injection = injectTracking(format, substituteMacros(bid.adm, values), trackingUrl, terms);
    return injection.ok ? injection.adm : null;
  }
  const rendered = render(shown.creative, { format, imp, device, trackingUrl, viewUrl, servingId: trackingId });
  return rendered.ok ? rendered.adm : null;
}
