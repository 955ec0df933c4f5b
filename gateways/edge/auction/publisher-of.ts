import type { PublisherView } from '../../../actors/publisher/fields.ts';
import type { Replica } from '../../../runtime/actor/replica.ts';

/** Whose inventory a request is that names these ids: the first publisher of them, archived ones too. */
export function publisherOf(replica: Replica, ids: readonly string[]): PublisherView | undefined {
  for (const id of ids) {
    const found = replica.get<PublisherView>('publisher', id);
    if (found !== undefined) return found;
  }
  return undefined;
}
