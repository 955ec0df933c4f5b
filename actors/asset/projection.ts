import type { HostedMedia } from '../../exchange/creative/hosted-media.ts';
import type { VastAd } from '../../exchange/vast/ad.ts';

/**
 * What a creative's URL led to, as it is served: one inline ad with the trackers of all its wrappers, whose media are paths
 * of our own; or one file.
 */
export type AssetContent =
  | { readonly kind: 'vast'; readonly ad: VastAd }
  | { readonly kind: 'image' | 'audio'; readonly media: HostedMedia };

/** What an edge knows of a URL that a creative names; the actor's id is `assetId(url)`. */
export interface AssetProjection {
  readonly url: string;
  readonly content: AssetContent;
}
