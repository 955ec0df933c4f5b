import fc from 'fast-check';
import type { VastAd } from '#exchange/vast/ad';
import type { VastWrapper } from '#exchange/vast/wrapper';
import { arbitraryAd } from './arbitrary-ad.ts';

/** Of an ad, what a wrapper could say in its place. */
function wrapperOf(ad: VastAd, [follow, multiple, fallback]: readonly [boolean, boolean, boolean]): VastWrapper {
  const { creatives, adSystem, errors, impressions, viewableImpressions, verifications, extensions } = ad;
  const linears = creatives.flatMap(({ linear }) => linear ?? []);
  const overlays = creatives.flatMap(({ nonLinearAds }) => nonLinearAds ?? []);
  const clicks = linears.map(({ videoClicks }) => videoClicks);
  const clickThrough = clicks.find((found) => found.clickThrough !== undefined)?.clickThrough;
  return {
    kind: 'wrapper',
    ...(ad.id !== undefined && { id: ad.id }),
    ...(ad.sequence !== undefined && { sequence: ad.sequence }),
    ...(ad.pricing !== undefined && { pricing: ad.pricing }),
    adSystem,
    errors,
    impressions,
    viewableImpressions,
    verifications,
    extensions,
    adTagUri: 'https://dsp.example/next?a=1&b=[CACHEBUSTING]',
    followAdditionalWrappers: follow,
    allowMultipleAds: multiple,
    fallbackOnNoAd: fallback,
    blockedAdCategories: ad.categories,
    creatives: {
      linear: {
        trackingEvents: linears.flatMap(({ trackingEvents }) => trackingEvents),
        videoClicks: {
          ...(clickThrough && { clickThrough }),
          clickTracking: clicks.flatMap(({ clickTracking }) => clickTracking),
          customClicks: clicks.flatMap(({ customClicks }) => customClicks),
        },
        icons: linears.flatMap(({ icons }) => icons),
      },
      nonLinear: {
        trackingEvents: overlays.flatMap(({ trackingEvents }) => trackingEvents),
        clickTracking: overlays.flatMap(({ nonLinears }) => nonLinears.flatMap(({ clickTracking }) => clickTracking)),
      },
      companions: creatives.flatMap(({ companionAds }) => companionAds?.companions ?? []),
    },
  };
}

export const arbitraryWrapper = fc
  .tuple(arbitraryAd, fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()))
  .map(([ad, flags]) => wrapperOf(ad, flags));
