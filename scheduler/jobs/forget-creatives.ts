import { creative } from '../../actors/creative/creative.ts';
import type { CreativeState } from '../../actors/creative/reduce.ts';
import { DAY_MS } from '../../actors/ledger/ledger-id.ts';
import { Rejected } from '../../runtime/actor/errors.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import type { Job } from '../job.ts';

export interface ForgetCreativesDeps {
  readonly messenger: Messenger;
  readonly store: Pick<StateStore, 'countBy' | 'find' | 'load'>;
  /** Creatives of one demand source that are kept, besides those that decisions name. */
  readonly perDsp: number;
  /** A creative that nobody has seen for so many days, and that no decision names, is forgotten. */
  readonly keepDays: number;
}

/** Creatives that are looked up at once. */
const BATCH_SIZE = 500;

/** Those that no decision names. The others show what was decided about them, however long they are not seen. */
const UNDECIDED = { marks: { not: 'decided' } } as const;

/**
 * Forgets the creatives that were unseen for longest: beyond a number for each demand source, and beyond an age. Those
 * that decisions name stay; there are at most 20,000 decisions in an account.
 */
export function forgetCreatives(deps: ForgetCreativesDeps): Job {
  const { store, perDsp, keepDays } = deps;
  return {
    name: 'forget-creatives',
    purpose:
      'Forgets creatives that were not seen for long, and those of a demand source that has too many; not those that decisions name.',
    cron: '35 * * * *',
    missed: 'newest',
    async run({ dueMs, signal }) {
      const oldest = { orderBy: 'lastSeenAt', limit: BATCH_SIZE } as const;
      const agedBefore = new Date(dueMs - keepDays * DAY_MS).toISOString();
      let aged = 0;
      for (;;) {
        const where = { ...UNDECIDED, lastSeenAt: { lt: agedBefore } };
        const found = await store.find(creative.kind, { where, ...oldest });
        const forgotten = await forgetAll(deps, found, signal);
        aged += forgotten;
        if (found.length < BATCH_SIZE || forgotten === 0) break;
      }
      let surplus = 0;
      for (const [dspId, count] of await store.countBy(creative.kind, 'dspId', UNDECIDED)) {
        for (let over = count - perDsp; over > 0; ) {
          const limit = Math.min(over, BATCH_SIZE);
          const found = await store.find(creative.kind, {
            where: { ...UNDECIDED, dspId: String(dspId) },
            orderBy: 'lastSeenAt',
            limit,
          });
          const forgotten = await forgetAll(deps, found, signal);
          surplus += forgotten;
          over -= forgotten;
          if (forgotten === 0) break;
        }
      }
      return `${aged} unseen for ${keepDays} days and ${surplus} beyond ${perDsp} of a demand source forgotten`;
    },
  };
}

/** Answers how many were forgotten: one that was seen again or decided about meanwhile stays. */
async function forgetAll(
  { messenger, store }: ForgetCreativesDeps,
  found: readonly { readonly id: string }[],
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  const documents = await store.load(found.map(({ id }) => ({ kind: creative.kind, id })));
  for (const document of documents) {
    signal.throwIfAborted();
    const state = (document?.state ?? null) as CreativeState | null;
    if (document === null || state === null) continue;
    try {
      await messenger.ask(creative, document.id, 'forget', { unseenSince: state.lastSeenAt });
      count += 1;
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
    }
  }
  return count;
}
