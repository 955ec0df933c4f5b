import { defineActor } from '../../runtime/actor/define-actor.ts';
import { ledgerMessages } from './messages.ts';
import { emptyLedger, ledgerHandlers } from './reduce.ts';
import { LedgerState } from './state.ts';

/**
 * The ledger of one publisher, DSP, campaign, account or the platform for one UTC day, live or sandbox. Money comes
 * from the absolute totals of the impression rollups, counts come from the edges. Id: see ledger-id.ts. Read with
 * report/, never asked.
 */
export const ledger = defineActor({
  kind: 'ledger',
  schemaVersion: 5,
  saving: 'lazy',
  state: LedgerState,
  messages: ledgerMessages,
  initial: emptyLedger,
  handlers: ledgerHandlers,
  indexes: ['filedUnder'],
});
