import { defineActor } from '../../runtime/actor/define-actor.ts';
import { ledgerMessages } from './messages.ts';
import { emptyLedger, LedgerState, reduceLedger } from './reduce.ts';

/**
 * The books of one publisher, DSP, campaign or the platform for one UTC day, live or sandbox: money from the tallies'
 * absolute totals, counts from the edges. Id: see ledger-id.ts. Read with report.ts, never asked.
 */
export const ledger = defineActor({
  kind: 'ledger',
  schemaVersion: 3,
  saving: 'lazy',
  state: LedgerState,
  messages: ledgerMessages,
  initial: emptyLedger,
  // Version 1 did not say when what it holds was sold, version 2 could not be found by its age.
  upgrade: (state) => ({ filedUnder: '', slots: {}, ...(state as Omit<LedgerState, 'filedUnder' | 'slots'>) }),
  handle: reduceLedger,
  indexes: ['filedUnder'],
});
