import type { VastAd } from '../ad.ts';
import { trackedElements } from './write-tracking.ts';
import { element, escaped, urlElement } from './xml-text.ts';

/** What is put into an ad from outside, as XML. */
export interface Inset {
  /** An `Impression` before all others; '' for none. */
  readonly impression: string;
  /** The text of `AdServingId`. */
  readonly servingId: string;
  readonly views: ViewsInset;
}

/** Trackers of views (4.0 on), '' for none. */
export interface ViewsInset {
  /** A whole `ViewableImpression`, for an ad that has none. */
  readonly whole: string;
  /** What comes before the ad's own of a kind. */
  readonly viewable: string;
  readonly notViewable: string;
  readonly undetermined: string;
}

export const NO_VIEWS: ViewsInset = { whole: '', viewable: '', notViewable: '', undetermined: '' };

/** In inline ads and in wrappers alike. */
export function adSystemElement({ adSystem: { name, version } }: Pick<VastAd, 'adSystem'>): string {
  return element('AdSystem', escaped(name), { version });
}

/** Every version wants one; `about:blank` stands for none (VAST 4.2 §3.4.3). */
export function impressionElements({ impressions }: Pick<VastAd, 'impressions'>, { impression }: Inset): string {
  if (impression === '' && impressions.length === 0) return urlElement('Impression', 'about:blank');
  return impression + trackedElements('Impression', impressions);
}

export function pricingElement({ pricing }: Pick<VastAd, 'pricing'>): string {
  if (pricing === undefined) return '';
  const { model, currency, value } = pricing;
  return element('Pricing', escaped(value), { model, currency });
}
