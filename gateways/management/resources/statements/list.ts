import Type, { type Static } from 'typebox';
import { invalidTraffic } from '../../../../actors/ledger/report/invalid-traffic.ts';
import { type FrozenStatement, type StatementState, statement } from '../../../../actors/statement/statement.ts';
import { readStatementId } from '../../../../actors/statement/statement-id.ts';
import { centsOf } from '../../../../exchange/money/cents.ts';
import { feePercentOf } from '../../../../exchange/money/fee.ts';
import { defineRoute } from '../../routing/route.ts';
import type { Table } from '../../routing/table.ts';
import { paging, Timestamp } from '../fields.ts';
import { Month, monthForm } from '../source-reports/report-query.ts';

const Statement = Type.Object(
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
    adjusted_gross_cents: Type.Number({ description: 'Their gross, which is not in `gross_cents`. Up to 4 decimals.' }),
    due_after_adjustments_cents: Type.Integer({ description: 'What is due in all; below 0 when more was taken back.' }),
    finalized_at: Timestamp,
    pages_sha256: Type.String({ description: 'Of the ledgers’ pages that the statement sums.' }),
  },
  { title: 'Statement' },
);
type Statement = Static<typeof Statement>;

const example: Statement = {
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

/** What publishers are paid and demand sources owe: statements that are frozen, of all accounts. */
export const listStatements = defineRoute({
  method: 'GET',
  path: '/api/statements',
  tag: 'Operators',
  operationId: 'listStatements',
  summary: 'List the statements that are finalized, of all sources',
  description:
    'Of one month, or of all. A source without traffic in a month has none until its billing of that month is read. In the order of their ids; also as CSV.',
  access: 'operator',
  query: Type.Object({
    ...paging,
    month: Type.Optional(Type.String({ pattern: monthForm, description: 'A month as YYYY-MM, in UTC.' })),
  }),
  answer: {
    status: 200,
    schema: Type.Object({ statements: Type.Array(Statement), total: Type.Integer(), page: Type.Integer() }),
    csv: ({ statements }): Table => ({
      columns: Object.keys(Statement.properties),
      rows: statements.map((one) => Object.values(one)),
    }),
  },
  examples: { answer: { statements: [example], total: 1, page: 1 } },
  async handle({ query: { page = 1, per_page: perPage = 50, month }, parts: { store } }) {
    const { documents, total } = await store.query(statement.kind, {
      ...(month === undefined ? {} : { where: { 'frozen.month': month } }),
      orderBy: 'id',
      skip: (page - 1) * perPage,
      limit: perPage,
    });
    const frozen = documents.flatMap(({ id, state }) => {
      const { frozen: stands } = state as StatementState;
      return stands === null ? [] : [{ id, stands, ...readStatementId(id) }];
    });
    const sources = await store.load(frozen.map(({ scope, whose }) => ({ kind: scope, id: whose })));
    const statements = frozen.map(({ id, stands, scope, whose }, index) => ({
      ...{ id, source_type: scope, source_id: whose },
      source_name: (sources[index]?.state as { name: string } | null | undefined)?.name ?? whose,
      ...showFrozen(stands),
    }));
    return { statements, total, page };
  },
});

function showFrozen(stands: FrozenStatement) {
  const { adjustments = [] } = stands;
  return {
    month: stands.month,
    impressions: stands.impressions,
    gross_cents: stands.grossCents,
    fee_percent: feePercentOf(stands.feePpm),
    fee_cents: stands.feeCents,
    due_cents: stands.dueCents,
    late_impressions: stands.lateImpressions,
    late_gross_cents: centsOf(BigInt(stands.lateGrossNanos)),
    invalid_impressions: invalidTraffic(new Map(Object.entries(stands.invalid ?? {}))).total,
    adjustments: adjustments.reduce((sum, { impressions }) => sum + impressions, 0),
    adjusted_gross_cents: centsOf(adjustments.reduce((sum, { grossNanos }) => sum + BigInt(grossNanos), 0n)),
    due_after_adjustments_cents: stands.dueAfterCents ?? stands.dueCents,
    finalized_at: new Date(stands.finalizedAtMs).toISOString(),
    pages_sha256: stands.pagesSha256,
  };
}
