import type { Resources } from './resource.ts';
import type { TrackedUrl } from './tracking.ts';

/** An industry icon over the ad, such as AdChoices (VAST 4.2 §3.11). Times in ms. */
export interface Icon {
  readonly program?: string;
  readonly width: number;
  readonly height: number;
  /** Pixels from the left, or `left` or `right`. */
  readonly xPosition: string;
  /** Pixels from the top, or `top` or `bottom`. */
  readonly yPosition: string;
  readonly offsetMs?: number;
  readonly durationMs?: number;
  readonly apiFramework?: string;
  readonly pxratio?: number;
  readonly resources: Resources;
  readonly clickThrough?: string;
  readonly clickTracking: readonly TrackedUrl[];
  readonly fallbackImages: readonly {
    readonly width?: number;
    readonly height?: number;
    readonly altText?: string;
    readonly url?: string;
  }[];
  readonly viewTracking: readonly string[];
}
