import { LRUCache } from 'lru-cache';
import { assetId } from '../../actors/asset/asset-id.ts';
import type { AssetView } from '../../actors/asset/view.ts';

const READ_LATELY = 2_000;

/** What the URLs of creatives led to, by URL: kept as text, read when a creative is looked at. */
export class KeptAssets {
  /** By the actor's id. */
  readonly #texts = new Map<string, string>();
  readonly #read = new LRUCache<string, AssetView>({ max: READ_LATELY });
  #version = 0;

  /** Rises with every change. */
  get version(): number {
    return this.#version;
  }

  get(url: string): AssetView | undefined {
    const known = this.#read.get(url);
    if (known !== undefined) return known;
    const text = this.#texts.get(assetId(url));
    if (text === undefined) return undefined;
    const view: AssetView = JSON.parse(text);
    this.#read.set(url, view);
    return view;
  }

  /** Null: the asset is gone. */
  put(id: string, view: AssetView | null): void {
    this.#version += 1;
    if (view === null) {
      this.#texts.delete(id);
      this.#read.clear();
    } else {
      this.#texts.set(id, JSON.stringify(view));
      this.#read.delete(view.url);
    }
  }
}
