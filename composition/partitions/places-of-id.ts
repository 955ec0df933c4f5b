import { impressionPartition } from '../../edge/impressions/impression-entry.ts';

/** Batches of wins, which the run of an edge that makes them names (edge/win-feed.ts). */
const OF_A_RUN = 'feed/';
/** 22 characters of base64url (edge/tracking). */
const TRACKING_ID = /^[\w-]{22}$/;

/**
 * The partitions, of so many, in which the log is asked for the id of an idempotent entry.
 *
 * Impressions are asked for where their tracking id says. A batch of wins is repeated by the run that made it alone,
 * and no run outlives the change. Replays of dead letters (runtime/node/dead-letters.ts) are asked for where the
 * receiver lives, which their ids do not say: they are put into every partition, as all other ids are. That is
 * harmless, because no two messages share such an id, and they are few.
 */
export function placesOfId(id: string, partitions: number): readonly number[] {
  if (TRACKING_ID.test(id)) return [impressionPartition(id, partitions)];
  if (id.startsWith(OF_A_RUN)) return [];
  return Array.from({ length: partitions }, (_, partition) => partition);
}
