import { defineActor } from '../../runtime/actor/define-actor.ts';
import { closedHourSends } from './closed-hours.ts';
import { dropPublishedMinutes, minuteSends } from './leaving-minutes.ts';
import { ledgerMessages } from './messages.ts';
import { emptyLedger, ledgerHandlers } from './reduce.ts';
import { LedgerState } from './state.ts';
import { ledgerAtRest } from './stored-ledger.ts';

/**
 * The ledger of one publisher, DSP, campaign, account or the platform for one hour or one UTC day, live or sandbox.
 * Money comes from the absolute totals of the impression rollups, counts come from the edges, unless these have a log of their own (actors/facts/facts.ts); both go to the ledger of
 * the hour, which tells its older minutes to a document of their own, is told when it is over, and then tells the ledger of the day. Id: see ledger-id.ts. Read with
 * read-ledgers.ts and report/, never asked.
 */
export const ledger = defineActor({
  kind: 'ledger',
  schemaVersion: 7,
  saving: 'lazy',
  state: LedgerState,
  messages: ledgerMessages,
  initial: emptyLedger,
  handlers: ledgerHandlers,
  // Version 5 knew ledgers of days alone, and version 6 did not pack them.
  upgrade: (state) => state as LedgerState,
  atRest: ledgerAtRest,
  totals: (state, published, id) => [
    ...minuteSends(state, published, id, 'ledger'),
    ...closedHourSends(state, published, id, 'ledger'),
  ],
  onPublished: dropPublishedMinutes,
  indexes: ['filedUnder'],
});
