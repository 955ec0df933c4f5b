import type { VastCreative } from '../model/creative.ts';
import { isAtLeast, type VastVersion } from '../vast-version.ts';
import { linearElement } from './write-linear.ts';
import { companionAdsElement, nonLinearAdsElement } from './write-resources.ts';
import { creativeExtensionsElement } from './write-tracking.ts';
import { element, escaped } from './xml-text.ts';

export function creativesElement(creatives: readonly VastCreative[], version: VastVersion): string {
  const write = isAtLeast(version, '4.0') ? creativeElement : creativeElementsBefore4;
  return element('Creatives', creatives.map((creative) => write(creative, version)).join(''));
}

/** Before 4.0 a creative is of one kind only: a creative of several kinds is written as several creatives. */
function creativeElementsBefore4(creative: VastCreative, version: VastVersion): string {
  const { id, sequence, adId } = creative;
  return partsOf(creative, version)
    .map((part) => element('Creative', part, { id, sequence, AdID: adId }))
    .join('');
}

function creativeElement(creative: VastCreative, version: VastVersion): string {
  const { id, sequence, adId, apiFramework } = creative;
  const [linear, nonLinear, companions] = partsOf(creative, version);
  if (!linear && !nonLinear && !companions) return '';
  const content = [
    companions,
    creativeExtensionsElement(creative.extensions),
    linear,
    nonLinear,
    universalAdIdElements(creative, version),
  ];
  return element('Creative', content.join(''), { id, sequence, adId, apiFramework });
}

/**
 * The parts of a creative: linear, non-linear, companions, in this order; '' for a missing part, which before 4.0 is no
 * creative.
 */
function partsOf(creative: VastCreative, version: VastVersion): string[] {
  const { linear, nonLinearAds, companionAds, extensions } = creative;
  const parts = [
    linear ? linearElement(linear, extensions, version) : '',
    nonLinearAds ? nonLinearAdsElement(nonLinearAds, version) : '',
    companionAds ? companionAdsElement(companionAds, version) : '',
  ];
  return isAtLeast(version, '4.0') ? parts : parts.filter((part) => part !== '');
}

/** Every version since 4.0 demands one id (VAST 4.2 §3.7.1: `unknown` where there is none); 4.2 allows several. */
function universalAdIdElements({ universalAdIds }: VastCreative, version: VastVersion): string {
  const known = universalAdIds.length === 0 ? [{ registry: 'unknown', value: 'unknown' }] : universalAdIds;
  return (version === '4.2' ? known : known.slice(0, 1))
    .map(({ registry, value }) =>
      element('UniversalAdId', escaped(value), {
        idRegistry: registry,
        idValue: version === '4.0' ? value : undefined,
      }),
    )
    .join('');
}
