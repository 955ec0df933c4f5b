import Type from 'typebox';
import type { LateSum } from '../../../../actors/statement/figures.ts';
import type { FrozenStatement } from '../../../../actors/statement/statement.ts';
import { centsOf } from '../../../../exchange/money/cents.ts';
import type { Table } from '../../routing/table.ts';
import { oneRow } from './one-row.ts';

/** What billing says beside the objects of the specification, where there is something to say. */
export const Closing = {
  late_impressions: Type.Optional(
    Type.Integer({
      description:
        'Of the impressions: those sold in an earlier month and rendered in this one. Absent when there are none.',
    }),
  ),
  late_gross_cents: Type.Optional(
    Type.Number({ description: 'Their gross, part of the above, with up to 4 decimals. Absent when there are none.' }),
  ),
  finalized_at: Type.Optional(
    Type.String({ format: 'date-time', description: 'When the statement was frozen, a while after the month’s end.' }),
  ),
  pages_sha256: Type.Optional(
    Type.String({
      description:
        'SHA-256 of the ledgers’ pages that the statement sums, as the exchange’s documentation writes them: who keeps it can tell that they are still the same.',
    }),
  ),
};

interface Late {
  readonly late_impressions?: number;
  readonly late_gross_cents?: number;
}

interface Closed extends Late {
  readonly finalized_at: string;
  readonly pages_sha256: string;
}

/** Of a month under way. */
export function lateOf({ impressions, grossNanos }: LateSum): Late {
  return impressions === 0 ? {} : { late_impressions: impressions, late_gross_cents: centsOf(grossNanos) };
}

/** Of a statement that is frozen. */
export function closingOf({ lateImpressions, lateGrossNanos, finalizedAtMs, pagesSha256 }: FrozenStatement): Closed {
  return {
    ...lateOf({ impressions: lateImpressions, grossNanos: BigInt(lateGrossNanos) }),
    finalized_at: new Date(finalizedAtMs).toISOString(),
    pages_sha256: pagesSha256,
  };
}

/** As a table of one row that has the same columns for every month. */
export function billingRow<Answer extends Parameters<typeof oneRow>[0] & Partial<Closed>>(answer: Answer): Table {
  const { late_impressions = 0, late_gross_cents = 0, finalized_at = '', pages_sha256 = '', ...rest } = answer;
  return oneRow({ ...rest, late_impressions, late_gross_cents, finalized_at, pages_sha256 });
}
