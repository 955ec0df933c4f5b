import { LRUCache } from 'lru-cache';
import { assetId } from '../../actors/asset/asset-id.ts';
import type { AssetProjection } from '../../actors/asset/projection.ts';

const READ_LATELY = 2_000;

/** Assets by the URLs in creatives: stored as text, parsed when a creative is read. */
export class AssetCatalogue {
  /** Texts by the actor's id. */
  readonly #texts = new Map<string, string>();
  readonly #read = new LRUCache<string, AssetProjection>({ max: READ_LATELY });
  #version = 0;

  /** Increases with every change. */
  get version(): number {
    return this.#version;
  }

  get(url: string): AssetProjection | undefined {
    const known = this.#read.get(url);
    if (known !== undefined) return known;
    const text = this.#texts.get(assetId(url));
    if (text === undefined) return undefined;
    const projection: AssetProjection = JSON.parse(text);
    this.#read.set(url, projection);
    return projection;
  }

  /** Null: the asset was removed. */
  put(id: string, projection: AssetProjection | null): void {
    this.#version += 1;
    if (projection === null) {
      this.#texts.delete(id);
      this.#read.clear();
    } else {
      this.#texts.set(id, JSON.stringify(projection));
      this.#read.delete(projection.url);
    }
  }
}
