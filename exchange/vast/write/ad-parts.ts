import type { VastAd } from '../ad.ts';
import type { Inset } from './inset.ts';
import { trackedElements } from './write-tracking.ts';
import { element, escaped, urlElement } from './xml-text.ts';

/** The `AdSystem` of an inline ad or a wrapper. */
export function adSystemElement({ adSystem: { name, version } }: Pick<VastAd, 'adSystem'>): string {
  return element('AdSystem', escaped(name), { version });
}

/** The `Impression` elements. Every version demands one; `about:blank` stands for none (VAST 4.2 §3.4.3). */
export function impressionElements({ impressions }: Pick<VastAd, 'impressions'>, { impression }: Inset): string {
  if (impression === '' && impressions.length === 0) return urlElement('Impression', 'about:blank');
  return impression + trackedElements('Impression', impressions);
}

export function pricingElement({ pricing }: Pick<VastAd, 'pricing'>): string {
  if (pricing === undefined) return '';
  const { model, currency, value } = pricing;
  return element('Pricing', escaped(value), { model, currency });
}
