import type { Creative } from '../../strategy/document/creative.ts';
import type { VastAd } from '../../vast/ad.ts';
import type { HostedMedia } from '../hosted-media.ts';

/** What a URL of a creative led to. */
export interface CreativeAsset {
  readonly content:
    | { readonly kind: 'vast'; readonly ad: VastAd }
    | { readonly kind: 'image' | 'audio'; readonly media: HostedMedia };
}

/** By URL; undefined while it is not here. The same object as long as it has not changed. */
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

/** All that a creative's URLs led to, by the objects: the same ones as long as nothing has changed. */
export function contentsOf(creative: Creative, assets: AssetLookup): readonly unknown[] {
  const { vast_url, audio_url, image_url, native } = creative;
  return [vast_url, audio_url, image_url, native?.image_url, native?.icon_url].map((url) => contentOf(assets, url));
}

function contentOf(assets: AssetLookup, url: string | undefined): CreativeAsset['content'] | undefined {
  return url === undefined ? undefined : assets.get(url)?.content;
}
