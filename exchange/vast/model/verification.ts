import type { TrackingEvent } from './tracking.ts';

/** Code that measures the ad (VAST 4.1 §3.16). Before 4.1 it is in an extension of type AdVerifications. */
export interface Verification {
  readonly vendor?: string;
  readonly scripts: readonly {
    readonly apiFramework?: string;
    readonly browserOptional?: boolean;
    readonly url: string;
  }[];
  readonly executables: readonly {
    readonly apiFramework?: string;
    readonly type?: string;
    readonly url: string;
  }[];
  readonly trackingEvents: readonly TrackingEvent[];
  readonly parameters?: string;
}
