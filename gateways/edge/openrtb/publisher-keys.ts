import type { PublisherProjection } from '#actors/publisher/fields';
import type { Replica } from '#runtime/actor/replica';

/** Finds publishers by their source keys. Follows the replica. */
export class PublisherKeys {
  readonly #publisherIds = new Map<string, string>();
  readonly #keyIds = new Map<string, string>();
  readonly close: () => void;

  constructor(replica: Replica) {
    this.close = replica.subscribe('publisher', ({ id, projection }) => {
      const { status, sourceKeyId } = (projection ?? {}) as Partial<PublisherProjection>;
      const next = status === 'archived' ? undefined : (sourceKeyId ?? undefined);
      const before = this.#keyIds.get(id);
      if (before === next) return;
      if (before !== undefined) this.#publisherIds.delete(before);
      if (next === undefined) this.#keyIds.delete(id);
      else {
        this.#keyIds.set(id, next);
        this.#publisherIds.set(next, id);
      }
    });
  }

  /** The publisher with the key whose SHA-256 (hex) is `keyId`; an archived publisher has none. */
  publisherOf(keyId: string): string | undefined {
    return this.#publisherIds.get(keyId);
  }
}
