import type { Extension } from './extension.ts';
import type { AdParameters, Resources } from './resource.ts';
import type { TrackedUrl, TrackingEvent } from './tracking.ts';

/** An ad beside the player. Sizes are in pixels; `width` and `height` are 0 where the document states none. */
export interface Companion {
  readonly id?: string;
  readonly width: number;
  readonly height: number;
  readonly assetWidth?: number;
  readonly assetHeight?: number;
  readonly expandedWidth?: number;
  readonly expandedHeight?: number;
  readonly apiFramework?: string;
  readonly adSlotId?: string;
  readonly pxratio?: number;
  readonly renderingMode?: 'default' | 'end-card' | 'concurrent';
  readonly resources: Resources;
  readonly adParameters?: AdParameters;
  readonly altText?: string;
  readonly clickThrough?: string;
  readonly clickTracking: readonly TrackedUrl[];
  readonly extensions: readonly Extension[];
  readonly trackingEvents: readonly TrackingEvent[];
}

export interface CompanionAds {
  readonly required?: 'all' | 'any' | 'none';
  readonly companions: readonly Companion[];
}
