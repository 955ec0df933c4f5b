import { defineActor } from '../../runtime/actor/define-actor.ts';
import { type FedRows, forgetFed, nothingFed, packFed } from './fed.ts';
import { tallyMessages } from './messages.ts';
import { emptyTally, foldImpression, foldInvalid, TallyState } from './reduce.ts';
import { partitionOfTally, tallyIdAt } from './tally-id.ts';
import { forgetPages, totalsAfter } from './totals.ts';

/**
 * The impressions of one log partition on one UTC day, on their way from the pixel to the ledgers. Impressions are
 * addressed to `tally/<partition>`; the log time of each says which day's tally it is, and so fixes minute and day for
 * publisher and DSP alike.
 */
export const tally = defineActor({
  kind: 'tally',
  schemaVersion: 6,
  saving: 'lazy',
  state: TallyState,
  messages: tallyMessages,
  initial: emptyTally,
  // Version 1 knew no sandbox generations: all were 0, which is what an absent one says. Version 2 knew neither account nor slot,
  // version 3 no feeds, version 4 their rows as JSON, version 5 no invalid traffic: what says nothing of it had none.
  upgrade: (state, version) => {
    if (version === 5) return state as TallyState;
    const { fed, ...books } = state as Omit<TallyState, 'fed'> & { readonly fed?: FedRows };
    return { ...books, fed: version < 4 || fed === undefined ? nothingFed() : packFed(fed) };
  },
  handlers: { impression: foldImpression, invalid: foldInvalid },
  totals: totalsAfter,
  told: ({ fed, pages }, published) => {
    forgetPages(pages, published);
    forgetFed(fed, published);
  },
  partitionOf: (id, partitions) => partitionOfTally(id) % partitions,
  idAt: tallyIdAt,
});
