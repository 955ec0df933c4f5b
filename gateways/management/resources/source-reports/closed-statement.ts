import { DAY_MS } from '../../../../actors/ledger/ledger-id.ts';
import type { LedgerSource } from '../../../../actors/ledger/report/period.ts';
import type { FrozenStatement } from '../../../../actors/statement/statement.ts';
import type { StatementScope } from '../../../../actors/statement/statement-id.ts';
import { ApiError } from '../../../errors.ts';
import type { ManagementParts } from '../../parts.ts';
import type { BilledMonth } from './report-query.ts';

/** Whose statement, and the fee that it states or puts on the spend. */
export interface StatementOf {
  readonly scope: StatementScope;
  readonly id: string;
  readonly feePpm: number;
}

/** Freezes the statement of a month that is over, waiting a little for its books; or says, for people, what it waits for. */
export type FreezeStatement = (
  source: StatementOf,
  month: string,
) => Promise<{ readonly frozen: FrozenStatement } | { readonly frozen: null; readonly waitsFor: string }>;

interface Billed {
  readonly feePpm: number;
  readonly createdAt: string;
}

/**
 * The statement of a month that is over, frozen now when nobody has done it before; null for the month under way, for the
 * sandbox, which is flushed and never frozen, and for months that were over a day before the source was made: nothing can
 * be in those. SERVICE_UNAVAILABLE while the month's books are not complete: what reads `finalized` never changes.
 */
export async function closedStatement(
  { freezeStatement }: ManagementParts,
  { scope, id, sandbox }: LedgerSource & { readonly scope: StatementScope },
  { month, status, window }: BilledMonth,
  { feePpm, createdAt }: Billed,
): Promise<FrozenStatement | null> {
  if (status === 'in_progress' || sandbox || window.toMs + DAY_MS <= Date.parse(createdAt)) return null;
  const outcome = await freezeStatement({ scope, id, feePpm }, month);
  if (outcome.frozen === null) throw new ApiError('SERVICE_UNAVAILABLE', `Not yet finalized: ${outcome.waitsFor}.`);
  return outcome.frozen;
}
