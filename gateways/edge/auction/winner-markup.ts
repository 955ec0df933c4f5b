import type { Win } from '../../../exchange/auction/auction.ts';
import { injectTracking } from '../../../exchange/creative/inject-tracking.ts';
import type { Rendered, RenderTerms } from '../../../exchange/creative/render/terms.ts';
import { type MacroValues, substituteMacros } from '../../../exchange/openrtb/macros.ts';
import type { Creative } from '../../../exchange/strategy/document/creative.ts';
import type { SoldCreative } from '../delegates/sold-creative.ts';
import type { SaleTerms } from './sale-terms.ts';

/** Makes the markup of a delegate's creative. */
export type RenderWinner = (creative: Creative, terms: Omit<RenderTerms, 'edgeUrl'>) => Rendered;

export interface TrackedWin {
  readonly values: MacroValues;
  readonly trackingId: string;
  readonly trackingUrl: string;
}

/** The winner's markup with our tracker in it, macros filled in; null when there can be none. */
export function winnerMarkup(
  win: Win,
  shown: SoldCreative | null,
  { values, trackingId, trackingUrl }: TrackedWin,
  { order, render }: SaleTerms,
): string | null {
  if (shown === null) {
    if (win.bid.adm === undefined) return null;
    const injection = injectTracking(win.format, substituteMacros(win.bid.adm, values), trackingUrl, order.player);
    return injection.ok ? injection.adm : null;
  }
  const { device, imp: imps } = order.request;
  const imp = imps.find(({ id }) => id === win.impId)!;
  const rendered = render(shown.creative, { format: win.format, imp, device, trackingUrl, servingId: trackingId });
  return rendered.ok ? rendered.adm : null;
}
