import { defineActor } from '../../runtime/actor/define-actor.ts';
import { ledgerKind } from './ledger-kind.ts';
import { ledgerMessages } from './messages.ts';
import { noteParkedTotals } from './parked-minutes.ts';
import { ledgerHandlers } from './reduce.ts';

/**
 * The ledger of one publisher, DSP, campaign, account or the platform for one hour or one UTC day, live or sandbox.
 * Money comes from the absolute totals of the impression rollups, counts come from the edges, unless these have a log
 * of their own (actors/facts/facts.ts). Both go to the ledger of the hour, which tells its older minutes to a document
 * of their own; when it is over it is told so, and tells the ledger of the day. Id: see ledger-id.ts. Read with
 * read-ledgers.ts and report/, never asked.
 */
export const ledger = defineActor({
  ...ledgerKind('ledger'),
  // Version 5 knew ledgers of days alone, and version 6 did not pack them.
  schemaVersion: 7,
  messages: ledgerMessages,
  handlers: ledgerHandlers,
  onParked(state, { type, body }) {
    if (type === 'totals') noteParkedTotals(state, body);
  },
});
