import Type, { type Static } from 'typebox';
import { Timestamp } from '#actors/api-schemas';
import { invalidTraffic } from '#actors/ledger/report/invalid-traffic';
import type { FrozenStatement } from '#actors/statement/statement';
import { centsOf, exactCentsOf } from '#exchange/money/cents';
import { feePercentOf } from '#exchange/money/fee';
import type { Table } from '../../routing/table.ts';
import { Month } from '../source-reports/report-query.ts';

/** A finalized statement as lists show it. */
export const Statement = Type.Object(
  {
    id: Type.String({ description: '`<publisher|dsp>:<id of the source>:<month>`.' }),
    source_type: Type.Enum(['publisher', 'dsp']),
    source_id: Type.String(),
    source_name: Type.String({ description: 'Its name now.' }),
    month: Month,
    impressions: Type.Integer(),
    gross_cents: Type.Integer(),
    fee_percent: Type.Number(),
    fee_cents: Type.Integer(),
    due_cents: Type.Integer({ description: 'To a publisher: gross less fee. From a demand source: gross and fee.' }),
    late_impressions: Type.Integer({ description: 'Of the impressions, those sold in an earlier month.' }),
    late_gross_cents: Type.Number({ description: 'Their gross, with up to 4 decimals.' }),
    invalid_impressions: Type.Integer({
      description: 'Called for by invalid traffic in the month, and not billed then.',
    }),
    adjustments: Type.Integer({ description: 'How many billed impressions of earlier times were taken back.' }),
    adjusted_gross_cents: Type.Number({
      description: 'Their gross, which is not in `gross_cents`. Exact, up to 7 decimals.',
    }),
    due_after_adjustments_cents: Type.Integer({ description: 'What is due in all; below 0 when more was taken back.' }),
    finalized_at: Timestamp,
    pages_sha256: Type.String({ description: 'Of the ledgers’ pages that the statement sums.' }),
  },
  { title: 'Statement' },
);
export type Statement = Static<typeof Statement>;

export const statementExample: Statement = {
  id: 'publisher:00000000-0000-4000-8000-00000000000a:2026-03',
  source_type: 'publisher',
  source_id: '00000000-0000-4000-8000-00000000000a',
  source_name: 'Harbour News',
  month: '2026-03',
  impressions: 1000,
  gross_cents: 250,
  fee_percent: 15,
  fee_cents: 38,
  due_cents: 212,
  late_impressions: 4,
  late_gross_cents: 1.0025,
  invalid_impressions: 12,
  adjustments: 400,
  adjusted_gross_cents: 100,
  due_after_adjustments_cents: 127,
  finalized_at: '2026-04-01T00:05:02.113Z',
  pages_sha256: '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
};

export function statementsTable({ statements }: { readonly statements: readonly Statement[] }): Table {
  return { columns: Object.keys(Statement.properties), rows: statements.map((one) => Object.values(one)) };
}

/** The content of a frozen statement, whichever source it is of. */
export function showFrozen(frozen: FrozenStatement) {
  const { adjustments = [] } = frozen;
  return {
    month: frozen.month,
    impressions: frozen.impressions,
    gross_cents: frozen.grossCents,
    fee_percent: feePercentOf(frozen.feePpm),
    fee_cents: frozen.feeCents,
    due_cents: frozen.dueCents,
    late_impressions: frozen.lateImpressions,
    late_gross_cents: centsOf(BigInt(frozen.lateGrossNanos)),
    invalid_impressions: invalidTraffic(new Map(Object.entries(frozen.invalid ?? {}))).total,
    adjustments: adjustments.reduce((sum, { impressions }) => sum + impressions, 0),
    adjusted_gross_cents: exactCentsOf(adjustments.reduce((sum, { grossNanos }) => sum + BigInt(grossNanos), 0n)),
    due_after_adjustments_cents: frozen.dueAfterCents ?? frozen.dueCents,
    finalized_at: new Date(frozen.finalizedAtMs).toISOString(),
    pages_sha256: frozen.pagesSha256,
  };
}
