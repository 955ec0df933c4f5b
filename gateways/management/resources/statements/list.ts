import Type from 'typebox';
import { type StatementState, statement } from '#actors/statement/statement';
import { parseStatementId } from '#actors/statement/statement-id';
import { defineRoute } from '../../routing/route.ts';
import { paging } from '../fields.ts';
import { monthForm } from '../source-reports/report-query.ts';
import { Statement, showFrozen, statementExample, statementsTable } from './statement.ts';

/** Lists the frozen statements of all accounts: what publishers are paid and demand sources owe. */
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
    csv: statementsTable,
  },
  examples: { answer: { statements: [statementExample], total: 1, page: 1 } },
  async handle({ query: { page = 1, per_page: perPage = 50, month }, parts: { store } }) {
    const { documents, total } = await store.query(statement.kind, {
      ...(month === undefined ? {} : { where: { 'frozen.month': month } }),
      orderBy: 'id',
      skip: (page - 1) * perPage,
      limit: perPage,
    });
    const frozen = documents.flatMap(({ id, state }) => {
      const { frozen } = state as StatementState;
      return frozen === null ? [] : [{ id, stands: frozen, ...parseStatementId(id) }];
    });
    const sources = await store.load(frozen.map(({ scope, whose: sourceId }) => ({ kind: scope, id: sourceId })));
    const statements = frozen.map(({ id, stands: frozen, scope, whose: sourceId }, index) => ({
      ...{ id, source_type: scope, source_id: sourceId },
      source_name: (sources[index]?.state as { name: string } | null | undefined)?.name ?? sourceId,
      ...showFrozen(frozen),
    }));
    return { statements, total, page };
  },
});
