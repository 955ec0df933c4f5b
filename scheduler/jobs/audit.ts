import { dailyAuditRoot } from '../../actors/audit-chain/daily-root.ts';
import { monthOf, reportWindowOfMonth } from '../../actors/ledger/report/month.ts';
import { readAtWatermark } from '../../actors/watermark/read-watermark.ts';
import type { Logger } from '../../runtime/actor/logger.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import { auditBooks } from '../audit/audit-books.ts';
import { checkTrail, dayBefore } from '../audit/check-trail.ts';
import type { Job } from '../job.ts';
import type { JobFigures } from '../job-figures.ts';

const HOUR_MS = 3_600_000;
const LOGGED = 20;

/** A region with a log of its own, and what of it came too late to be billed. */
interface LateRegion {
  readonly name: string;
  readonly too_late: { readonly impressions: number; readonly gross_nanos: number };
}

/**
 * Audits, each night, the month of yesterday, as far as the books are complete. Every difference is logged as an error,
 * and so is each change of the audit trail, and what came too late of a region to be billed; the daily root of
 * yesterday's trail is logged too, outside the store.
 */
export function auditJob(deps: {
  readonly store: StateStore;
  readonly logger: Logger;
  readonly figures?: Pick<JobFigures, 'audited'>;
  /** Reads the regions with logs of their own; absent where there can be none. */
  readonly regions?: () => Promise<readonly LateRegion[]>;
}): Job {
  const { store, logger, figures, regions } = deps;
  return {
    name: 'audit',
    purpose: 'Recomputes the month’s books from the ledgers, and the audit trail, and says where they differ.',
    cron: '40 2 * * *',
    missed: 'newest',
    recall: ({ books = 0, trail = 0 }) => figures?.audited({ books, trail }),
    async run({ dueMs, found }) {
      const month = monthOf(dueMs - 24 * HOUR_MS);
      const { fromMs } = reportWindowOfMonth(month)!;
      logger.info(await dailyAuditRoot(store, dayBefore(dueMs)), 'the audit trail of a day ends here');
      const { throughMs, store: reads } = await readAtWatermark(store);
      const toMs = Math.floor(throughMs / HOUR_MS) * HOUR_MS;
      if (toMs <= fromMs) return `${month}: none of its books are complete yet`;
      const { differences, accepted, ledgers, statements } = await auditBooks(reads, { fromMs, toMs });
      for (const difference of differences.slice(0, LOGGED)) logger.error(difference, 'the books do not balance');
      const trail = await checkTrail(reads, { fromMs, toMs }, dueMs);
      for (const difference of trail.differences.slice(0, LOGGED))
        logger.error(difference, 'the audit trail was changed');
      const late = ((await regions?.()) ?? []).filter(({ too_late }) => too_late.impressions > 0);
      for (const { name: region, too_late } of late)
        logger.error({ region, ...too_late }, 'impressions are not in the books: they came too late');
      const counted = { books: differences.length, trail: trail.differences.length };
      figures?.audited(counted);
      found?.(counted);
      const outcome = differences.length === 0 ? 'balanced' : `${differences.length} differences`;
      const gone = accepted.length === 0 ? '' : ` (${accepted.length} accepted)`;
      const changed = trail.differences.length === 0 ? '' : `; audit trail: ${trail.differences.length} differences`;
      return `${month} up to ${new Date(toMs).toISOString()}: ${outcome}${gone} in ${ledgers} ledgers and ${statements} statements${changed}${late.map(tooLateText).join('')}`;
    },
  };
}

function tooLateText({ name, too_late: { impressions, gross_nanos } }: LateRegion): string {
  return `; too late of ${name}: ${impressions} impressions, ${gross_nanos} nano-dollars`;
}
