import { campaign } from '../../actors/campaign/campaign.ts';
import { utcDay } from '../../actors/ledger/ledger-id.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import type { Job } from '../job.ts';

const AT_A_TIME = 50;

/**
 * At midnight UTC, tells campaigns whose daily budget of an earlier day was spent that a new day has begun. Money does
 * not depend on it: a budget belongs to its day whenever this runs, and a campaign shows as paused for its day alone.
 */
export function resetBudgets(deps: {
  readonly messenger: Pick<Messenger, 'ask'>;
  readonly store: Pick<StateStore, 'find'>;
}): Job {
  const { messenger, store } = deps;
  return {
    name: 'reset-budgets',
    purpose: 'Sets campaigns going again whose daily budget was spent on an earlier day.',
    cron: '0 0 * * *',
    missed: 'newest',
    async run({ dueMs, signal }) {
      const day = utcDay(dueMs);
      // '' stands for campaigns whose budget is not spent.
      const where = { exhaustedDay: { gte: '0', lt: day } };
      for (let renewed = 0; ; ) {
        signal.throwIfAborted();
        const found = await store.find(campaign.kind, { where, orderBy: 'exhaustedDay', limit: AT_A_TIME });
        if (found.length === 0) return `${day}: ${renewed} campaigns set going again`;
        await Promise.all(found.map(({ id }) => messenger.ask(campaign, id, 'renew', { day })));
        renewed += found.length;
      }
    },
  };
}
