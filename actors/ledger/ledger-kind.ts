import type { Send } from '../../runtime/actor/context.ts';
import { closedHourSends } from './closed-hours.ts';
import { dropPublishedMinutes, minuteSends } from './leaving-minutes.ts';
import { emptyLedger } from './reduce.ts';
import { LedgerState } from './state.ts';
import { ledgerAtRest } from './stored-ledger.ts';

/**
 * What a kind of ledgers declares beside its messages: ledgers of hours tell documents of minutes and ledgers of days.
 */
export function ledgerKind(kind: string) {
  return {
    kind,
    saving: 'lazy' as const,
    state: LedgerState,
    initial: emptyLedger,
    // Earlier versions did not pack pages, and handlers work with pages that are not.
    upgrade: (state: unknown) => state as LedgerState,
    atRest: ledgerAtRest,
    totals: (state: LedgerState, published: string | null, id: string): Send[] => [
      ...minuteSends(state, published, id, kind),
      ...closedHourSends(state, published, id, kind),
    ],
    onPublished: dropPublishedMinutes,
    indexes: ['filedUnder'],
  };
}
