import { defineActor } from '../../runtime/actor/define-actor.ts';
import { closedHourSends } from '../ledger/closed-hours.ts';
import { dropPublishedMinutes, minuteSends } from '../ledger/leaving-minutes.ts';
import { ledgerMessages } from '../ledger/messages.ts';
import { emptyLedger, ledgerHandlers } from '../ledger/reduce.ts';
import { LedgerState } from '../ledger/state.ts';
import { ledgerAtRest } from '../ledger/stored-ledger.ts';

const { facts: counts, close, hour } = ledgerMessages;

/**
 * The counts of edges for one owner and one hour or UTC day, where they have a log of their own (FACTS_REDIS_URL): then
 * ledgers hold money alone. Ids, pages and the way from hours to days are those of ledgers (ledger.ts), and reports add
 * both. The actors of this kind run beside the others of an exchange, on the log of facts.
 */
export const facts = defineActor({
  kind: 'facts',
  schemaVersion: 2,
  saving: 'lazy',
  state: LedgerState,
  messages: { facts: counts, close, hour },
  initial: emptyLedger,
  handlers: { facts: ledgerHandlers.facts, close: ledgerHandlers.close, hour: ledgerHandlers.hour },
  upgrade: (state) => state as LedgerState,
  atRest: ledgerAtRest,
  totals: (state, published, id) => [
    ...minuteSends(state, published, id, 'facts'),
    ...closedHourSends(state, published, id, 'facts'),
  ],
  onPublished: dropPublishedMinutes,
  indexes: ['filedUnder'],
});
