import type { VastAd } from './ad.ts';
import type { Companion } from './model/companion.ts';
import type { Icon } from './model/icon.ts';
import type { TrackedUrl, TrackingEvent, VideoClicks } from './model/tracking.ts';

/** The trackers that a wrapper adds to each kind of creative; its own creatives only carry them. */
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

/** A wrapper: the URL of the ad, and the trackers that are called beside the ad's own. */
export interface VastWrapper
  extends Pick<
    VastAd,
    'id' | 'sequence' | 'adSystem' | 'pricing' | 'errors' | 'impressions' | 'verifications' | 'extensions'
  > {
  readonly kind: 'wrapper';
  readonly adTagUri: string;
  /** Whether the ad there may be another wrapper (VAST 4.2 §3.19); true where the document does not say. */
  readonly followAdditionalWrappers: boolean;
  /** Whether more than the first ad there may be used; false where the document does not say. */
  readonly allowMultipleAds: boolean;
  readonly fallbackOnNoAd: boolean;
  readonly blockedAdCategories: readonly { readonly authority?: string; readonly code: string }[];
  readonly viewableImpressions: VastAd['viewableImpressions'];
  readonly creatives: WrapperCreatives;
}
