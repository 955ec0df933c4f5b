import { DAY_MS } from '#actors/ledger/ledger-id';
import { readLedgers } from '#actors/ledger/read-ledgers';
import type { LedgerOwner, ReportWindow } from '#actors/ledger/report/period';
import { type FrozenStatement, statement } from '#actors/statement/statement';
import { type StatementScope, statementId } from '#actors/statement/statement-id';
import { ApiError } from '#gateways/errors';
import type { StateStore } from '#runtime/ports/store';
import type { BilledMonth } from './report-query.ts';

/** The source of a statement, with the fee that the statement states or adds to the spend. */
export interface StatementSource {
  readonly scope: StatementScope;
  readonly id: string;
  readonly feePpm: number;
}

/**
 * Freezes the statement of a month that is over, after a short wait for its ledgers; otherwise answers, in words, what
 * it waits for.
 */
export type FreezeStatement = (
  source: StatementSource,
  month: string,
) => Promise<{ readonly frozen: FrozenStatement } | { readonly frozen: null; readonly waitsFor: string }>;

interface BilledState {
  readonly feePpm: number;
  readonly createdAt: string;
}

/**
 * The statement of a month that is over; it is frozen now unless it was before. Null for the present month; for a month
 * in which the source was only in the sandbox, which is flushed and never frozen; and for a month that ended more than
 * a day before the source was created, which cannot contain anything. SERVICE_UNAVAILABLE while the month's ledgers are
 * not complete. A month that reads `finalized` never changes, even when the source has gone into the sandbox since.
 */
export async function closedStatement(
  { store, freezeStatement }: { readonly store: Pick<StateStore, 'load'>; readonly freezeStatement: FreezeStatement },
  { scope, id, sandbox }: LedgerOwner & { readonly scope: StatementScope },
  { month, status, window }: BilledMonth,
  { feePpm, createdAt }: BilledState,
): Promise<FrozenStatement | null> {
  if (status === 'in_progress' || window.toMs + DAY_MS <= Date.parse(createdAt)) return null;
  if (sandbox && !(await hasLiveLedgers(store, { scope, id }, month, window))) return null;
  const outcome = await freezeStatement({ scope, id, feePpm }, month);
  if (outcome.frozen === null) throw new ApiError('SERVICE_UNAVAILABLE', `Not yet finalized: ${outcome.waitsFor}.`);
  return outcome.frozen;
}

/** Whether the month has a statement, or live ledgers that a statement will sum. */
async function hasLiveLedgers(
  store: Pick<StateStore, 'load'>,
  { scope, id }: Pick<StatementSource, 'scope' | 'id'>,
  month: string,
  { fromMs, toMs }: ReportWindow,
): Promise<boolean> {
  const [document] = await store.load([{ kind: statement.kind, id: statementId(scope, id, month) }]);
  if (document && !document.deleted) return true;
  return (
    (await readLedgers(store, [{ owner: { scope, id, sandbox: false }, fromMs, toMs }], ['filedUnder'])).length > 0
  );
}
