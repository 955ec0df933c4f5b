import { auctionRecord } from '../../actors/auction-record/auction-record.ts';
import { readIds } from '../../runtime/ports/read-pages.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import type { Job } from '../job.ts';
import { PURGE_BATCH_SIZE, purgeAll, versionsOf } from './purge-aged.ts';

/** The number of ids that are read at once. */
const COUNTED_AT_ONCE = 5_000;

/**
 * Keeps the newest `most` recorded auctions; older ones, and those past their retention (aged-kinds.ts), are deleted.
 * Ids sort by time, so they alone are read: a query would take an index of all records into the memory of the embedded
 * store, and this job would keep it there.
 */
export function boundAuctionRecords(deps: {
  readonly store: Pick<StateStore, 'idsBetween' | 'load' | 'purge'>;
  readonly most: number;
}): Job {
  const { store, most } = deps;
  const { kind } = auctionRecord;

  const count = async (signal: AbortSignal): Promise<number> => {
    let counted = 0;
    for await (const ids of readIds(store, kind, { after: '', limit: COUNTED_AT_ONCE })) {
      signal.throwIfAborted();
      counted += ids.length;
    }
    return counted;
  };

  return {
    name: 'bound-auction-records',
    purpose: 'Deletes the oldest auction records beyond the number that is kept.',
    cron: '*/10 * * * *',
    missed: 'none',
    async run({ signal }) {
      let beyond = (await count(signal)) - most;
      if (beyond <= 0) return 'not more than are kept';
      const oldest = async () => {
        const limit = Math.min(beyond, PURGE_BATCH_SIZE);
        const ids = limit === 0 ? [] : await store.idsBetween(kind, { after: '', limit });
        beyond -= ids.length;
        return versionsOf(store, kind, ids);
      };
      return `${await purgeAll(store, kind, oldest, signal)} beyond ${most}`;
    },
  };
}
