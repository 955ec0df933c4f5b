import { auctionRecord } from '../../actors/auction-record/auction-record.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import type { Job } from '../job.ts';
import { PURGE_BATCH_SIZE, purgeAll } from './purge-aged.ts';

/**
 * Keeps the newest `most` recorded auctions; older ones, and those past their retention (aged-kinds.ts), are deleted.
 */
export function boundAuctionRecords(deps: {
  readonly store: Pick<StateStore, 'query' | 'find' | 'purge'>;
  readonly most: number;
}): Job {
  const { store, most } = deps;
  return {
    name: 'bound-auction-records',
    purpose: 'Deletes the oldest auction records beyond the number that is kept.',
    cron: '*/10 * * * *',
    missed: 'none',
    async run({ signal }) {
      const newest = { orderBy: 'key', descending: true, skip: most, limit: 1 } as const;
      const { documents } = await store.query(auctionRecord.kind, newest);
      const [first] = documents;
      if (first === undefined) return 'not more than are kept';
      // The bound is just above the first record's own id, so that this record goes too.
      const where = { key: { lt: `${first.id}~` } };
      const beyond = () => store.find(auctionRecord.kind, { where, orderBy: 'key', limit: PURGE_BATCH_SIZE });
      return `${await purgeAll(store, auctionRecord.kind, beyond, signal)} beyond ${most}`;
    },
  };
}
