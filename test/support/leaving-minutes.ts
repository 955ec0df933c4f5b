import { namesOf } from '#actors/ledger/names-text';
import type { LedgerPages } from '#actors/ledger/report/sum-ledgers';

/** The minutes that have left a ledger and are in no other document yet, as pages of their own. */
export function leavingOf({ id, state }: LedgerPages): LedgerPages[] {
  return (state.leaving ?? []).map(({ names, pages }) => ({ id, state: { names: namesOf(names), minutes: pages } }));
}
