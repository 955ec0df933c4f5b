import type { VastAd } from '../ad.ts';
import { isAtLeast, type VastVersion } from '../vast-version.ts';
import type { VastWrapper } from '../wrapper.ts';
import { adSystemElement, impressionElements, pricingElement } from './ad-parts.ts';
import type { Inset } from './inset.ts';
import { creativesElement } from './write-creatives.ts';
import { extensionsElement, verificationElements, viewableImpressionElement } from './write-tracking.ts';
import { wrapperElement } from './write-wrapper.ts';
import { element, escaped, textElement, urlElement, urlElements } from './xml-text.ts';

export function adElement(ad: VastAd | VastWrapper, version: VastVersion, inset: Inset): string {
  return element('Ad', ad.kind === 'wrapper' ? wrapperElement(ad, version, inset) : inlineElement(ad, version, inset), {
    // 2.0 demands an id.
    id: version === '2.0' ? (ad.id ?? '') : ad.id,
    sequence: isAtLeast(version, '3.0') ? ad.sequence : undefined,
    adType: isAtLeast(version, '4.1') && ad.kind === 'inline' ? ad.adType : undefined,
  });
}

function inlineElement(ad: VastAd, version: VastVersion, inset: Inset): string {
  return element(
    'InLine',
    isAtLeast(version, '4.0') ? inlineSince4(ad, version, inset) : inlineBefore4(ad, version, inset),
  );
}

/** The inline ad before 4.0. 2.0 and 3.0 have one `Error`: that of the outermost level, which is the buyer's. */
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
    viewableImpressionElement(ad.viewableImpressions, version, inset.views),
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

/** The categories of an ad. One without an authority means nothing, and no schema allows it. */
function categoryElements({ categories }: VastAd): string {
  return categories
    .filter(({ authority }) => authority !== undefined)
    .map(({ authority, code }) => element('Category', escaped(code), { authority }))
    .join('');
}
