import { defineActor } from '../../runtime/actor/define-actor.ts';
import { acknowledgeFeedOutbox } from './feed-outbox.ts';
import { impressionRollupMessages } from './messages.ts';
import { emptyImpressionRollup, foldImpression, foldInvalid } from './reduce.ts';
import { partitionOfRollup, rollupIdAt } from './rollup-id.ts';
import { ImpressionRollupState } from './state.ts';
import { dropPublishedPages, unpublishedSends } from './totals.ts';

/**
 * The impression rollup: the impressions of one log partition on one UTC day, on their way from the pixel to the
 * ledgers. Impressions are addressed to `tally/<partition>`; the log time of each selects the day's rollup, and so
 * fixes minute and day for publisher and DSP alike.
 */
export const impressionRollup = defineActor({
  kind: 'tally',
  schemaVersion: 7,
  saving: 'lazy',
  state: ImpressionRollupState,
  messages: impressionRollupMessages,
  initial: emptyImpressionRollup,
  // Version 5 knew no invalid traffic, and version 6 no ledgers of hours: a state without such counts had none, and its
  // day goes on in ledgers of days.
  upgrade: (state) => state as ImpressionRollupState,
  handlers: { impression: foldImpression, invalid: foldInvalid },
  totals: unpublishedSends,
  onPublished: ({ fed, pages }, published) => {
    dropPublishedPages(pages, published);
    acknowledgeFeedOutbox(fed, published);
  },
  partitionOf: (id, partitions) => partitionOfRollup(id) % partitions,
  idAt: rollupIdAt,
});
