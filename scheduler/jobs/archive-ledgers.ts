import { DAY_MS, utcDay } from '../../actors/ledger/ledger-id.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import { type ArchiveDeps, archiveDay } from '../archive/archive-day.ts';
import { daysToArchive } from '../archive/days-to-archive.ts';
import type { Job } from '../job.ts';

export interface ArchiveLedgersDeps extends ArchiveDeps {
  readonly store: ArchiveDeps['store'] & Pick<StateStore, 'idsBetween'>;
  readonly keepDays: number;
}

/** Archives live books older than the retention period, one file a day, oldest first. */
export function archiveLedgers(deps: ArchiveLedgersDeps): Job {
  const { keepDays } = deps;
  return {
    name: 'archive-ledgers',
    purpose: `Archives the books of days that are more than ${keepDays} days ago, once their month’s statements are frozen.`,
    cron: '30 3 * * *',
    missed: 'newest',
    async run({ dueMs, signal }) {
      const before = utcDay(dueMs - keepDays * DAY_MS);
      const files: string[] = [];
      const waits = new Set<string>();
      let documents = 0;
      for await (const day of daysToArchive(deps, before)) {
        signal.throwIfAborted();
        const outcome = await archiveDay(deps, day, signal);
        if (outcome.file !== null) {
          files.push(outcome.file);
          documents += outcome.documents;
        } else if (outcome.waitsFor !== null) waits.add(outcome.waitsFor);
      }
      const done = files.length === 0 ? 'nothing archived' : `${documents} documents in ${listed(files)}`;
      const waiting = waits.size === 0 ? '' : `; waiting for ${[...waits].join(', ')}`;
      return `before ${before}: ${done}${waiting}`;
    },
  };
}

function listed(files: readonly string[]): string {
  return files.length <= 3 ? files.join(', ') : `${files.length} files, ${files[0]} to ${files.at(-1)}`;
}
