import type { MediaFacts } from '#exchange/creative/media-facts';

/** What the scan of one piece of markup found, beside its findings. */
export interface ScannedMarkup {
  readonly media: readonly MediaFacts[];
  /** VAST wrappers before the ad. */
  readonly wrappers: number;
  /** Where clicks lead. */
  readonly links: readonly string[];
  /** Deviations from the recommendations (specification, "Creative specifications"). */
  readonly warnings: readonly string[];
}
