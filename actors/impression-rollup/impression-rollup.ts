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
  schemaVersion: 6,
  saving: 'lazy',
  state: ImpressionRollupState,
  messages: impressionRollupMessages,
  initial: emptyImpressionRollup,
  // Version 5 knew no invalid traffic: a state without such counts had none.
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
