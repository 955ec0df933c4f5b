import type { CompanionAds } from './companion.ts';
import type { Extension } from './extension.ts';
import type { Linear } from './linear.ts';
import type { NonLinearAds } from './non-linear.ts';

/** A `Creative` element of an inline ad. */
export interface VastCreative {
  readonly id?: string;
  readonly adId?: string;
  readonly sequence?: number;
  readonly apiFramework?: string;
  readonly universalAdIds: readonly {
    readonly registry: string;
    readonly value: string;
  }[];
  readonly linear?: Linear;
  readonly nonLinearAds?: NonLinearAds;
  readonly companionAds?: CompanionAds;
  readonly extensions: readonly Extension[];
}
