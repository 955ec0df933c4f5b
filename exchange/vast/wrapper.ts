import type { VastAd } from './ad.ts';
import type { Companion } from './model/companion.ts';
import type { Icon } from './model/icon.ts';
import type { TrackedUrl, TrackingEvent, VideoClicks } from './model/tracking.ts';

/** What a wrapper adds to each creative of a kind; its own creatives are only there to carry it. */
export interface WrapperCreatives {
  readonly linear: {
    readonly trackingEvents: readonly TrackingEvent[];
    readonly videoClicks: VideoClicks;
    readonly icons: readonly Icon[];
  };
  readonly nonLinear: {
    readonly trackingEvents: readonly TrackingEvent[];
    readonly clickTracking: readonly TrackedUrl[];
  };
  readonly companions: readonly Companion[];
}

/** A wrapper: where the ad is, and what is to be called beside the ad's own trackers. */
export interface VastWrapper
  extends Pick<
    VastAd,
    'id' | 'sequence' | 'adSystem' | 'pricing' | 'errors' | 'impressions' | 'verifications' | 'extensions'
  > {
  readonly kind: 'wrapper';
  readonly adTagUri: string;
  /** VAST 4.2 §3.19: whether the ad there may be another wrapper; true where the document does not say. */
  readonly followAdditionalWrappers: boolean;
  /** Whether more than the first ad there may be used; false where the document does not say. */
  readonly allowMultipleAds: boolean;
  readonly fallbackOnNoAd: boolean;
  readonly blockedAdCategories: readonly { readonly authority?: string; readonly code: string }[];
  readonly viewableImpressions: VastAd['viewableImpressions'];
  readonly creatives: WrapperCreatives;
}
