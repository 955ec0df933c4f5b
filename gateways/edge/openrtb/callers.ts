import { type ApiKeyProjection, hasExpired } from '../../../actors/api-key/projection.ts';
import type { KeyHolder } from '../../../edge/auction-context.ts';
import type { Replica } from '../../../runtime/actor/replica.ts';
import type { Clock } from '../../../runtime/ports/clock.ts';
import { ApiError } from '../../errors.ts';
import { credentialId } from '../../http/credential-id.ts';
import { PublisherKeys } from './publisher-keys.ts';

/** Few keys make nearly all the calls; past this many the memory of their hashes begins anew. */
const HASHES_KEPT = 10_000;
/** No key of ours is longer. What callers make up may be, and is kept in memory as little as it is looked for. */
const LONGEST_KEY = 256;

/** Knows callers by their key, as far as they give one: found by its hash, which tells nothing of a key that is near. */
export class CallerAuthenticator {
  readonly #replica: Replica;
  readonly #clock: Clock;
  readonly #publisherKeys: PublisherKeys;
  readonly #hashes = new Map<string, string>();

  constructor(replica: Replica, clock: Clock) {
    this.#replica = replica;
    this.#clock = clock;
    this.#publisherKeys = new PublisherKeys(replica);
  }

  /** Null for a caller without a key. Throws UNAUTHORIZED for a key that is not ours, or not any more. */
  identify(key: string | undefined): KeyHolder | null {
    if (key === undefined) return null;
    if (key.length > LONGEST_KEY) throw invalid();
    const hash = this.#hash(key);
    if (key.startsWith('pub_')) {
      const publisherId = this.#publisherKeys.publisherOf(hash);
      if (publisherId !== undefined) return { kind: 'publisher', publisherId };
    } else {
      const view = this.#replica.get<ApiKeyProjection>('api-key', hash);
      if (view !== undefined && !hasExpired(view, this.#clock.now())) {
        return { kind: 'account', accountId: view.accountId, environment: view.environment };
      }
    }
    throw invalid();
  }

  close(): void {
    this.#publisherKeys.close();
  }

  #hash(key: string): string {
    const known = this.#hashes.get(key);
    if (known !== undefined) return known;
    const hash = credentialId(key);
    if (this.#hashes.size >= HASHES_KEPT) this.#hashes.clear();
    this.#hashes.set(key, hash);
    return hash;
  }
}

function invalid(): ApiError {
  return new ApiError('UNAUTHORIZED', 'The API key is not valid.');
}
