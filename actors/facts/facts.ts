import { defineActor } from '../../runtime/actor/define-actor.ts';
import { ledgerKind } from '../ledger/ledger-kind.ts';
import { ledgerMessages } from '../ledger/messages.ts';
import { ledgerHandlers } from '../ledger/reduce.ts';

const { facts: counts, close, hour } = ledgerMessages;

/**
 * The counts of edges for one owner and one hour or UTC day, where they have a log of their own (FACTS_REDIS_URL): then
 * ledgers hold money alone. Ids, pages and the way from hours to days are those of ledgers (ledger.ts), and reports add
 * both. The actors of this kind run beside the others of an exchange, on the log of facts.
 */
export const facts = defineActor({
  ...ledgerKind('facts'),
  schemaVersion: 2,
  messages: { facts: counts, close, hour },
  handlers: { facts: ledgerHandlers.facts, close: ledgerHandlers.close, hour: ledgerHandlers.hour },
});
