import { createHash } from 'node:crypto';
import type { ApiKeyView } from '../../../actors/api-key/view.ts';
import type { Replica } from '../../../runtime/actor/replica.ts';
import { ApiError } from '../../errors.ts';

/** Few keys make nearly all the calls; past this many the memory of their hashes begins anew. */
const HASHES_KEPT = 10_000;

/** Knows callers by their API key, as far as they give one. */
export class Callers {
  readonly #replica: Replica;
  readonly #hashes = new Map<string, string>();

  constructor(replica: Replica) {
    this.#replica = replica;
  }

  /** The key's view; null for a caller without a key. Throws UNAUTHORIZED for a key that is not ours. */
  identify(key: string | undefined): ApiKeyView | null {
    if (key === undefined) return null;
    const view = this.#replica.get<ApiKeyView>('api-key', this.#hash(key));
    if (view === undefined) throw new ApiError('UNAUTHORIZED', 'The API key is not valid.');
    return view;
  }

  #hash(key: string): string {
    const known = this.#hashes.get(key);
    if (known !== undefined) return known;
    const hash = createHash('sha256').update(key).digest('hex');
    if (this.#hashes.size >= HASHES_KEPT) this.#hashes.clear();
    this.#hashes.set(key, hash);
    return hash;
  }
}
