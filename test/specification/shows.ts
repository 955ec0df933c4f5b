import type { Test } from 'mocha';
import { ROWS } from './table.ts';

/** The tests that were declared for each row. Full once all test files are loaded, which is before the first one runs. */
export const shown = new Map<string, Test[]>();

/** Declares the test that shows one row of the table, or several that one course of events shows together. */
export function shows(ids: string | readonly string[], holds: () => unknown): void {
  const all = typeof ids === 'string' ? [ids] : ids;
  const title = all.map((id) => `${id}: ${ROWS.get(id)?.clause ?? 'no row of the table'}`).join(' ');
  // The test's own context is kept from it: what a row demands is not skipped.
  const test = it(title, async () => void (await holds()));
  for (const id of all) shown.set(id, [...(shown.get(id) ?? []), test]);
}
