import type { Creative } from '../../strategy/document/creative.ts';
import type { VastAd } from '../../vast/ad.ts';
import type { HostedMedia } from '../hosted-media.ts';

/** The content that a creative's URL led to. */
export interface CreativeAsset {
  readonly content:
    | { readonly kind: 'vast'; readonly ad: VastAd }
    | { readonly kind: 'image' | 'audio'; readonly media: HostedMedia };
}

/** Finds assets by URL; undefined while an asset is missing. An unchanged asset is always the same object. */
export interface AssetLookup {
  get(url: string): CreativeAsset | undefined;
}

export function vastOf(assets: AssetLookup, url: string | undefined): VastAd | null {
  const content = contentOf(assets, url);
  return content?.kind === 'vast' ? content.ad : null;
}

export function mediaFileOf(assets: AssetLookup, url: string | undefined, kind: 'image' | 'audio'): HostedMedia | null {
  const content = contentOf(assets, url);
  return content?.kind === kind ? content.media : null;
}

/**
 * The contents that a creative's URLs led to. Unchanged contents are the same objects, so they can be compared by
 * identity.
 */
export function contentsOf(creative: Creative, assets: AssetLookup): readonly unknown[] {
  const { vast_url, audio_url, image_url, native } = creative;
  return [vast_url, audio_url, image_url, native?.image_url, native?.icon_url].map((url) => contentOf(assets, url));
}

function contentOf(assets: AssetLookup, url: string | undefined): CreativeAsset['content'] | undefined {
  return url === undefined ? undefined : assets.get(url)?.content;
}
