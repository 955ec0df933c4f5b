import { type ApiKeyProjection, hasExpired } from '#actors/api-key/projection';
import type { KeyHolder } from '#edge/auction-context';
import type { Replica } from '#runtime/actor/replica';
import type { Clock } from '#runtime/ports/clock';
import { ApiError } from '../../errors.ts';
import { credentialId } from '../../http/credential-id.ts';
import { PublisherKeys } from './publisher-keys.ts';

/** Upper bound of cached hashes; beyond it, the cache is emptied. Few keys make nearly all the calls. */
const HASHES_KEPT = 10_000;
/**
 * Upper bound of the length of the exchange's own keys, in characters. Longer keys of callers are neither looked up nor
 * cached.
 */
const LONGEST_KEY = 256;

/**
 * Authenticates callers by their key, if they have one. A key is found by its hash, which reveals nothing of similar
 * keys.
 */
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

  /** Null for a caller without a key. Throws UNAUTHORIZED for an unknown or revoked key. */
  identify(key: string | undefined): KeyHolder | null {
    if (key === undefined) return null;
    if (key.length > LONGEST_KEY) throw invalid();
    const hash = this.#hash(key);
    if (key.startsWith('pub_')) {
      const publisherId = this.#publisherKeys.publisherOf(hash);
      if (publisherId !== undefined) return { kind: 'publisher', publisherId };
    } else {
      const projection = this.#replica.get<ApiKeyProjection>('api-key', hash);
      if (projection !== undefined && !hasExpired(projection, this.#clock.now())) {
        return { kind: 'account', accountId: projection.accountId, environment: projection.environment };
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
