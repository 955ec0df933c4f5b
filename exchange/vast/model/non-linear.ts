import type { AdParameters, Resources } from './resource.ts';
import type { TrackedUrl, TrackingEvent } from './tracking.ts';

/**
 * One of several alternative overlays. Sizes are in pixels; `width` and `height` are 0 where the document states none.
 */
export interface NonLinear {
  readonly id?: string;
  readonly width: number;
  readonly height: number;
  readonly expandedWidth?: number;
  readonly expandedHeight?: number;
  readonly scalable?: boolean;
  readonly maintainAspectRatio?: boolean;
  readonly minSuggestedDurationMs?: number;
  readonly apiFramework?: string;
  readonly resources: Resources;
  readonly adParameters?: AdParameters;
  readonly clickThrough?: string;
  readonly clickTracking: readonly TrackedUrl[];
}

export interface NonLinearAds {
  readonly nonLinears: readonly NonLinear[];
  readonly trackingEvents: readonly TrackingEvent[];
}
