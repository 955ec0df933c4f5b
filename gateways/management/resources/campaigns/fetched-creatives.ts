import { asset } from '#actors/asset/asset';
import { assetId } from '#actors/asset/asset-id';
import type { AssetState } from '#actors/asset/reduce';
import { creativeUrls } from '#exchange/creative/creative-urls';
import type { MediaFactsLookup } from '#exchange/creative/media-facts';
import type { AssetLookup, CreativeAsset } from '#exchange/creative/render/assets';
import type { Campaign } from '#exchange/strategy/document/campaign';
import type { ManagementDeps } from '../../deps.ts';

const READ_AT_ONCE = 200;

/** The assets of some campaigns' creatives, by URL, as far as they were fetched. */
export interface FetchedCreatives extends AssetLookup {
  readonly factsOf: MediaFactsLookup;
}

/** Loads the fetched creatives from the saved assets. */
export async function loadFetchedCreatives(
  { store }: Pick<ManagementDeps, 'store'>,
  campaigns: readonly Pick<Campaign, 'creative' | 'creatives'>[],
): Promise<FetchedCreatives> {
  const urls = [...new Set(campaigns.flatMap(creativeUrls).map(({ url }) => url))];
  const states = new Map<string, AssetState>();
  for (let from = 0; from < urls.length; from += READ_AT_ONCE) {
    const some = urls.slice(from, from + READ_AT_ONCE);
    const documents = await store.load(some.map((url) => ({ kind: asset.kind, id: assetId(url) })));
    for (const [index, url] of some.entries()) {
      const state = (documents[index]?.state ?? null) as AssetState | null;
      if (state !== null && state.kind !== '') states.set(url, state);
    }
  }
  const read = new Map<string, CreativeAsset>();
  return {
    factsOf: (url) => states.get(url)?.facts ?? null,
    get(url) {
      const state = states.get(url);
      if (state === undefined) return undefined;
      const known = read.get(url) ?? { content: JSON.parse(state.content) };
      read.set(url, known);
      return known;
    },
  };
}
