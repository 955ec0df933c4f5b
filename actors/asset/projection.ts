import type { HostedMedia } from '../../exchange/creative/hosted-media.ts';
import type { VastAd } from '../../exchange/vast/ad.ts';

/**
 * The content of a creative's URL as the exchange serves it: one inline ad with the trackers of all its wrappers, whose
 * media are paths of the exchange; or one file.
 */
export type AssetContent =
  | { readonly kind: 'vast'; readonly ad: VastAd }
  | { readonly kind: 'image' | 'audio'; readonly media: HostedMedia };

/** The projection of a URL that a creative names; the actor's id is `assetId(url)`. */
export interface AssetProjection {
  readonly url: string;
  readonly content: AssetContent;
}
