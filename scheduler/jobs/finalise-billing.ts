import { monthOf } from '../../actors/ledger/report/month.ts';
import type { Logger } from '../../runtime/actor/logger.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import { EARLIER_MONTHS, FINALISE_BILLING, monthBefore } from '../billing/closed-months.ts';
import { finaliseMonth } from '../billing/finalise-month.ts';
import type { Job } from '../job.ts';
import type { JobFigures } from '../job-figures.ts';

/**
 * Freezes the statements of the month before: first a few minutes into a month, then each day, so that a statement
 * which a dead letter held open is closed once that is resolved. Nothing depends on the job's punctuality: reading a
 * statement freezes it too.
 */
export function finaliseBilling(deps: {
  readonly store: StateStore;
  readonly messenger: Messenger;
  readonly logger: Logger;
  readonly figures?: Pick<JobFigures, 'statementsFrozen'>;
}): Job {
  return {
    name: FINALISE_BILLING,
    purpose: 'Freezes the statements of the month that is over, and what is still open of the two before.',
    cron: '5 0 * * *',
    missed: 'each',
    recall: (heldOpen) => deps.figures?.statementsFrozen(0, new Map(Object.entries(heldOpen))),
    async run({ dueMs, signal, found }) {
      const outcomes: string[] = [];
      const heldOpen = new Map<string, number>();
      let allFrozen = 0;
      let last = monthBefore(monthOf(dueMs));
      for (let back = 0; back <= EARLIER_MONTHS; back += 1) {
        const { month, frozen, already, waiting, incomplete } = await finaliseMonth(deps, last, signal);
        if (incomplete !== null) throw new Error(`statements of ${month} wait: ${incomplete}`);
        heldOpen.set(month, waiting.length);
        allFrozen += frozen;
        for (const held of waiting) deps.logger.error({ month, ...held }, 'a statement is held open');
        const held = waiting.length > 0 ? `, ${waiting.length} held open: ${waiting[0]!.why}` : '';
        const isOfNote = back === 0 || frozen > 0 || waiting.length > 0;
        if (isOfNote) outcomes.push(`${month}: ${frozen} statements frozen, ${already} before${held}`);
        last = monthBefore(last);
      }
      deps.figures?.statementsFrozen(allFrozen, heldOpen);
      found?.(Object.fromEntries(heldOpen));
      return outcomes.join('; ');
    },
  };
}
