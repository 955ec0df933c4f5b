import { defineActor } from '../../runtime/actor/define-actor.ts';
import { forgetFed } from './fed.ts';
import { tallyMessages } from './messages.ts';
import { emptyTally, foldImpression, foldInvalid } from './reduce.ts';
import { TallyState } from './state.ts';
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
  // Version 5 knew no invalid traffic: what says nothing of it had none.
  upgrade: (state) => state as TallyState,
  handlers: { impression: foldImpression, invalid: foldInvalid },
  totals: totalsAfter,
  told: ({ fed, pages }, published) => {
    forgetPages(pages, published);
    forgetFed(fed, published);
  },
  partitionOf: (id, partitions) => partitionOfTally(id) % partitions,
  idAt: tallyIdAt,
});
