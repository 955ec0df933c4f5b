import { defineActor } from '../../runtime/actor/define-actor.ts';
import { type FedRows, forgetFed, nothingFed, packFed } from './fed.ts';
import { tallyMessages } from './messages.ts';
import { emptyTally, foldImpression, TallyState } from './reduce.ts';
import { partitionOfTally, tallyIdAt } from './tally-id.ts';
import { totalsAfter } from './totals.ts';

/**
 * The impressions of one log partition on one UTC day, on their way from the pixel to the ledgers. Impressions are
 * addressed to `tally/<partition>`; the log time of each says which day's tally it is, and so fixes minute and day for
 * publisher and DSP alike.
 */
export const tally = defineActor({
  kind: 'tally',
  schemaVersion: 5,
  saving: 'lazy',
  state: TallyState,
  messages: tallyMessages,
  initial: emptyTally,
  // Version 1 knew no sandbox generations: all were 0, which is what an absent one says. Version 2 knew neither account nor slot,
  // version 3 no feeds, version 4 their rows as JSON.
  upgrade: (state, version) => {
    const { fed, ...books } = state as Omit<TallyState, 'fed'> & { readonly fed?: FedRows };
    return { ...books, fed: version < 4 || fed === undefined ? nothingFed() : packFed(fed) };
  },
  handle: (state, { body }, context) => foldImpression(state, body, context),
  totals: totalsAfter,
  told: ({ fed }, published) => forgetFed(fed, published),
  partitionOf: (id, partitions) => partitionOfTally(id) % partitions,
  idAt: tallyIdAt,
});
