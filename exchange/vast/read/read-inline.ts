import type { Pricing, VastAd } from '../ad.ts';
import type { VastCreative } from '../model/creative.ts';
import { withoutUndefined } from '../without-undefined.ts';
import { linearOf } from './read-linear.ts';
import { companionAdsOf, nonLinearOf } from './read-resources.ts';
import { extensions, trackedUrls, trackingEvents, verifications, viewableImpressions } from './read-tracking.ts';
import { Unreadable } from './unreadable.ts';
import { childText, oneOfAttribute, urlOf, urlsOf, wholeAttribute } from './values.ts';
import { isVpaid } from './vpaid.ts';
import { attributeOf, childOf, childrenOf, textOf, type XmlElement } from './xml-tree.ts';

const AD_TYPES = ['video', 'audio', 'hybrid'] as const;

/** Reads an `Ad` with an `InLine`. Throws when none of its creatives can be shown. */
export function inlineOf(ad: XmlElement, body: XmlElement): VastAd {
  const elements = childrenOf(childOf(body, 'Creatives'), 'Creative');
  const creatives = elements.map(creativeOf);
  if (!creatives.some(({ linear, nonLinearAds }) => linear || nonLinearAds?.nonLinears.length)) {
    const vpaid = elements.some(hasVpaidNonLinear);
    throw vpaid
      ? new Unreadable('vpaid-unsupported', 'the ad can be shown with VPAID alone')
      : new Unreadable('vast-without-media', 'the ad has nothing to play or to show');
  }
  return withoutUndefined({
    kind: 'inline' as const,
    ...adParts(ad, body),
    adType: oneOfAttribute(ad, 'adType', AD_TYPES),
    adTitle: childText(body, 'AdTitle') ?? '',
    adServingId: childText(body, 'AdServingId'),
    advertiser: childText(body, 'Advertiser'),
    description: childText(body, 'Description'),
    survey: surveyOf(body),
    categories: categoriesOf(body, 'Category'),
    expires: expiresOf(body),
    creatives,
  });
}

/** Reads the parts that an `InLine` and a `Wrapper` share. */
export function adParts(ad: XmlElement, body: XmlElement) {
  const system = childOf(body, 'AdSystem');
  const sequence = wholeAttribute(ad, 'sequence');
  return {
    id: attributeOf(ad, 'id'),
    sequence,
    adSystem: withoutUndefined({
      name: system === undefined ? '' : textOf(system),
      version: system === undefined ? undefined : attributeOf(system, 'version'),
    }),
    pricing: pricingOf(body),
    errors: urlsOf(body, 'Error'),
    impressions: trackedUrls(body, 'Impression'),
    viewableImpressions: viewableImpressions(body),
    verifications: verifications(body),
    extensions: extensions(body, 'Extensions', 'Extension'),
  };
}

export function categoriesOf(body: XmlElement, name: string): { authority?: string; code: string }[] {
  return childrenOf(body, name).flatMap((element) => {
    const code = textOf(element);
    return code === '' ? [] : withoutUndefined({ authority: attributeOf(element, 'authority'), code });
  });
}

const PRICING_MODELS = ['cpm', 'cpc', 'cpe', 'cpv'] as const;

/** Undefined unless the price is one that every schema allows. */
function pricingOf(body: XmlElement): Pricing | undefined {
  const element = childOf(body, 'Pricing');
  if (element === undefined) return undefined;
  const model = oneOfAttribute(element, 'model', PRICING_MODELS);
  const currency = attributeOf(element, 'currency');
  const value = textOf(element);
  if (model === undefined || currency === undefined || !/^[a-z]{3}$/i.test(currency)) return undefined;
  return /^\d{1,15}(\.\d{1,15})?$/.test(value) ? { model, currency, value } : undefined;
}

function surveyOf(body: XmlElement): VastAd['survey'] | undefined {
  const element = childOf(body, 'Survey');
  const url = urlOf(element);
  if (element === undefined || url === undefined) return undefined;
  return withoutUndefined({ type: attributeOf(element, 'type'), url });
}

function expiresOf(body: XmlElement): number | undefined {
  const seconds = childText(body, 'Expires');
  return seconds !== undefined && /^\d{1,15}$/.test(seconds) ? Number(seconds) : undefined;
}

function creativeOf(element: XmlElement): VastCreative {
  const linear = childOf(element, 'Linear');
  const nonLinear = childOf(element, 'NonLinearAds');
  const companions = childOf(element, 'CompanionAds');
  const apiFramework = attributeOf(element, 'apiFramework');
  return withoutUndefined({
    id: attributeOf(element, 'id'),
    adId: attributeOf(element, 'adId'),
    sequence: wholeAttribute(element, 'sequence'),
    apiFramework: isVpaid(apiFramework) ? undefined : apiFramework,
    universalAdIds: childrenOf(element, 'UniversalAdId').flatMap((id) => {
      const value = textOf(id) || attributeOf(id, 'idValue');
      return value === undefined ? [] : { registry: attributeOf(id, 'idRegistry') ?? 'unknown', value };
    }),
    linear: linear && linearOf(linear),
    nonLinearAds: nonLinear && {
      nonLinears: childrenOf(nonLinear, 'NonLinear')
        .map(nonLinearOf)
        .filter(({ apiFramework }) => !isVpaid(apiFramework)),
      trackingEvents: trackingEvents(nonLinear),
    },
    companionAds: companions && companionsWithoutVpaid(companions),
    extensions: [element, ...(linear ? [linear] : [])].flatMap((parent) =>
      extensions(parent, 'CreativeExtensions', 'CreativeExtension'),
    ),
  });
}

function companionsWithoutVpaid(element: XmlElement): VastCreative['companionAds'] & object {
  const ads = companionAdsOf(element);
  return { ...ads, companions: ads.companions.filter(({ apiFramework }) => !isVpaid(apiFramework)) };
}

function hasVpaidNonLinear(creative: XmlElement): boolean {
  return childrenOf(childOf(creative, 'NonLinearAds'), 'NonLinear').some((element) =>
    isVpaid(attributeOf(element, 'apiFramework')),
  );
}
