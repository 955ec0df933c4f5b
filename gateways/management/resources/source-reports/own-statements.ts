import Type, { type Static } from 'typebox';
import { DAY_MS } from '#actors/ledger/ledger-id';
import { monthOf, reportWindowOfMonth } from '#actors/ledger/report/month';
import { type StatementState, statement } from '#actors/statement/statement';
import { statementId } from '#actors/statement/statement-id';
import type { ManagementDeps } from '../../deps.ts';
import type { SourceCaller } from '../../identity/caller.ts';
import { defineRoute } from '../../routing/route.ts';
import { paging } from '../fields.ts';
import { Statement, showFrozen, statementExample, statementsTable } from '../statements/statement.ts';
import { loadOwnSource } from './own-source.ts';

const description =
  'The newest month first; also as CSV. A month without traffic has none until its billing is read. The month under way is in the billing. What a source has in the sandbox is on no statement.';

const query = Type.Object(paging);
const schema = Type.Object({ statements: Type.Array(Statement), total: Type.Integer(), page: Type.Integer() });

export const publisherStatements = defineRoute({
  method: 'GET',
  path: '/api/source/statements',
  tag: 'Source reports',
  operationId: 'listSourceStatements',
  summary: "List the finalized statements of the key's publisher",
  description,
  access: 'publisher-key',
  query,
  examples: { answer: { statements: [statementExample], total: 1, page: 1 } },
  answer: { status: 200, schema, csv: statementsTable },
  handle: ({ query: pageQuery, source, parts }) => ownStatements(parts, source, pageQuery),
});

export const dspStatements = defineRoute({
  method: 'GET',
  path: '/api/demand/statements',
  tag: 'Source reports',
  operationId: 'listDemandStatements',
  summary: "List the finalized statements of the key's demand source",
  description,
  access: 'dsp-key',
  query,
  answer: { status: 200, schema, csv: statementsTable },
  handle: ({ query: pageQuery, source, parts }) => ownStatements(parts, source, pageQuery),
});

async function ownStatements(
  deps: ManagementDeps,
  source: SourceCaller,
  { page = 1, per_page: perPage = 50 }: Static<typeof query>,
): Promise<Static<typeof schema>> {
  const { store, clock } = deps;
  const { kind, id } = source;
  const { name, createdAt } = await loadOwnSource(deps, source);
  const keys = monthsUntil(clock.now(), Date.parse(createdAt)).map((month) => statementId(kind, id, month));
  const documents = await store.load(keys.map((key) => ({ kind: statement.kind, id: key })));
  const statements = documents.flatMap((document) => {
    const frozen = (document?.state as StatementState | null | undefined)?.frozen ?? null;
    if (document === null || frozen === null) return [];
    return [{ id: document.id, source_type: kind, source_id: id, source_name: name, ...showFrozen(frozen) }];
  });
  const skipped = (page - 1) * perPage;
  return { statements: statements.slice(skipped, skipped + perPage), total: statements.length, page };
}

/**
 * The UTC months before the present one, the newest first. The last is the earliest month in which the source can have
 * sold anything.
 */
function monthsUntil(nowMs: number, createdAtMs: number): string[] {
  const first = monthOf(createdAtMs - DAY_MS);
  const months: string[] = [];
  const before = (month: string) => monthOf(reportWindowOfMonth(month)!.fromMs - 1);
  for (let month = before(monthOf(nowMs)); month >= first; month = before(month)) months.push(month);
  return months;
}
