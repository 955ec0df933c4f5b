import type { RowResult } from '../support/results.ts';
import type { Row } from './row.ts';

interface RowsInRun {
  readonly counts: readonly (readonly [what: string, count: number])[];
  /** Whatever must not be, a line each. */
  readonly faults: readonly string[];
}

type Outcome = 'shown by tests that passed' | 'failed' | 'need real servers' | 'left out' | 'not run' | 'open';

/**
 * Compares the table with what came of its tests. A row was shown where a test of it passed in the file that it names
 * and none failed. A `whole` run has everything, so that each row that claims a test is to be shown; `servers` are
 * Redis and MongoDB, whose rows are to be shown where they are there, and are those that say so where they are not.
 */
export function rowsInRun(
  rows: readonly Row[],
  results: readonly RowResult[],
  { whole, servers }: { readonly whole: boolean; readonly servers: boolean },
): RowsInRun {
  const byRow = new Map<string, RowResult[]>(rows.map(({ id }) => [id, []]));
  for (const result of results) byRow.get(result.id)?.push(result);
  const outcomes = rows.map((row) => ({ row, outcome: outcomeOf(row, byRow.get(row.id) ?? []) }));
  const faults = outcomes.flatMap(({ row, outcome }) => {
    const fault = faultOf(outcome, byRow.get(row.id) ?? [], whole, servers);
    return fault === undefined ? [] : [`${row.id}: ${fault}`];
  });
  const counts = new Map<Outcome, number>();
  for (const { outcome } of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return { counts: [...counts], faults };
}

function outcomeOf({ proof }: Row, results: readonly RowResult[]): Outcome {
  if (!('shownIn' in proof)) return 'open';
  if (results.some(({ state }) => state === 'failed')) return 'failed';
  const own = results.filter(({ file }) => file === proof.shownIn);
  if (own.some(({ state }) => state === 'passed')) return 'shown by tests that passed';
  if (own.length === 0) return 'not run';
  return proof.needsRealServers ? 'need real servers' : 'left out';
}

function faultOf(
  outcome: Outcome,
  results: readonly RowResult[],
  whole: boolean,
  servers: boolean,
): string | undefined {
  if (outcome === 'failed') return 'a test of it failed';
  if (outcome === 'open') return results.length > 0 ? 'is said to be open and has a test' : undefined;
  if (outcome === 'left out' && !servers) return 'was left out without servers, and is not said to need them';
  if (!whole) return undefined;
  if (outcome === 'not run') return 'lost its test: none of it ran in the file that the table names';
  if (outcome === 'left out' || (outcome === 'need real servers' && servers)) return 'its tests were left out';
  return undefined;
}
