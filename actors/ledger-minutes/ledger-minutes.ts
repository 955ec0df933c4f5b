import { defineActor } from '../../runtime/actor/define-actor.ts';
import { facts } from '../facts/facts.ts';
import { minutesKindOf } from '../ledger/leaving-minutes.ts';
import { ledger } from '../ledger/ledger.ts';
import { ledgerMinutesHandlers, minutesMessages, noMinutes } from './reduce.ts';
import { LedgerMinutesState } from './state.ts';

const common = {
  schemaVersion: 1,
  saving: 'lazy',
  state: LedgerMinutesState,
  messages: minutesMessages,
  initial: noMinutes,
  handlers: ledgerMinutesHandlers,
  indexes: ['filedUnder'],
} as const;

/**
 * The minutes of a ledger of an hour that are no longer its newest, so that what changes each second is small. Id: that
 * of the ledger. Read with ledger/read-ledgers.ts, for the periods that are reported by minutes; kept for some hours.
 */
export const ledgerMinutes = defineActor({ kind: minutesKindOf(ledger.kind), ...common });

/** The same of the counts that have a log of their own. */
export const factsMinutes = defineActor({ kind: minutesKindOf(facts.kind), ...common });
