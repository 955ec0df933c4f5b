import type { VastAd } from '../ad.ts';
import { isAtLeast, type VastVersion } from '../vast-version.ts';
import { creativesElement } from './write-creatives.ts';
import {
  extensionsElement,
  trackedElements,
  verificationElements,
  viewableImpressionElement,
} from './write-tracking.ts';
import { element, escaped, textElement, urlElement, urlElements } from './xml-text.ts';

/** What is put into an ad from outside, as XML. */
export interface Inset {
  /** An `Impression` before all others; '' for none. */
  readonly impression: string;
  /** The text of `AdServingId`. */
  readonly servingId: string;
}

export function adElement(ad: VastAd, version: VastVersion, inset: Inset): string {
  const content = isAtLeast(version, '4.0') ? inlineSince4(ad, version, inset) : inlineBefore4(ad, version, inset);
  return element('Ad', element('InLine', content), {
    // 2.0 wants one.
    id: version === '2.0' ? (ad.id ?? '') : ad.id,
    sequence: isAtLeast(version, '3.0') ? ad.sequence : undefined,
    adType: isAtLeast(version, '4.1') ? ad.adType : undefined,
  });
}

/** 2.0 and 3.0 take one `Error`: that of the outermost level, whose buyer it is. */
function inlineBefore4(ad: VastAd, version: VastVersion, inset: Inset): string {
  const since3 = isAtLeast(version, '3.0');
  const { extension } = verificationElements(ad.verifications, version);
  return [
    adSystemElement(ad),
    textElement('AdTitle', ad.adTitle),
    textElement('Description', ad.description),
    since3 ? textElement('Advertiser', ad.advertiser) : '',
    since3 ? pricingElement(ad) : '',
    urlElement('Survey', ad.survey?.url),
    urlElement('Error', ad.errors[0]),
    impressionElements(ad, inset),
    creativesElement(ad.creatives, version),
    extensionsElement(ad.extensions, extension),
  ].join('');
}

function inlineSince4(ad: VastAd, version: VastVersion, inset: Inset): string {
  const since41 = isAtLeast(version, '4.1');
  const { own, extension } = verificationElements(ad.verifications, version);
  return [
    adSystemElement(ad),
    urlElements('Error', ad.errors),
    extensionsElement(ad.extensions, extension),
    impressionElements(ad, inset),
    pricingElement(ad),
    viewableImpressionElement(ad.viewableImpressions, version),
    since41 ? element('AdServingId', inset.servingId) : '',
    textElement('AdTitle', ad.adTitle),
    own,
    textElement('Advertiser', ad.advertiser),
    categoryElements(ad),
    creativesElement(ad.creatives, version),
    textElement('Description', ad.description),
    since41 && ad.expires !== undefined ? element('Expires', String(ad.expires)) : '',
    urlElement('Survey', ad.survey?.url, { type: ad.survey?.type }),
  ].join('');
}

function adSystemElement({ adSystem: { name, version } }: VastAd): string {
  return element('AdSystem', escaped(name), { version });
}

/** Every version wants one; `about:blank` stands for none (VAST 4.2 §3.4.3). */
function impressionElements({ impressions }: VastAd, { impression }: Inset): string {
  if (impression === '' && impressions.length === 0) return urlElement('Impression', 'about:blank');
  return impression + trackedElements('Impression', impressions);
}

function pricingElement({ pricing }: VastAd): string {
  if (pricing === undefined) return '';
  const { model, currency, value } = pricing;
  return element('Pricing', escaped(value), { model, currency });
}

/** One without an authority says nothing, and no schema takes it. */
function categoryElements({ categories }: VastAd): string {
  return categories
    .filter(({ authority }) => authority !== undefined)
    .map(({ authority, code }) => element('Category', escaped(code), { authority }))
    .join('');
}
