import type { VastCreative } from './model/creative.ts';
import type { Extension } from './model/extension.ts';
import type { TrackedUrl, ViewableImpression } from './model/tracking.ts';
import type { Verification } from './model/verification.ts';

export interface Pricing {
  /** cpm, cpc, cpe or cpv. */
  readonly model: string;
  /** An ISO 4217 code. */
  readonly currency: string;
  /** A decimal number, as written in the document. */
  readonly value: string;
}

/**
 * One inline ad: everything in a VAST 2.0 to 4.2 document that is served, whichever version it was written in. It is
 * plain JSON, so that an actor can store it. URLs are those of the document or, once media are hosted here, paths on
 * the edge.
 */
export interface VastAd {
  readonly kind: 'inline';
  readonly id?: string;
  /** The place in a pod; absent for a stand-alone ad. */
  readonly sequence?: number;
  readonly adType?: 'video' | 'audio' | 'hybrid';
  readonly adSystem: {
    readonly name: string;
    readonly version?: string;
  };
  readonly adTitle: string;
  readonly adServingId?: string;
  readonly advertiser?: string;
  readonly description?: string;
  readonly pricing?: Pricing;
  readonly survey?: {
    readonly type?: string;
    readonly url: string;
  };
  readonly categories: readonly {
    readonly authority?: string;
    readonly code: string;
  }[];
  /** Seconds. */
  readonly expires?: number;
  readonly errors: readonly string[];
  readonly impressions: readonly TrackedUrl[];
  readonly viewableImpressions: readonly ViewableImpression[];
  readonly verifications: readonly Verification[];
  readonly extensions: readonly Extension[];
  readonly creatives: readonly VastCreative[];
}
