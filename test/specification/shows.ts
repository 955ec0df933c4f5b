import type { Test } from 'mocha';
import { ROWS } from './table.ts';

const rows = new WeakMap<Test, readonly string[]>();

/** The rows that a test shows; none for other tests. */
export function rowsOf(test: Test): readonly string[] {
  return rows.get(test) ?? [];
}

/** Declares the test that shows one row of the table, or several that one course of events shows together. */
export function shows(ids: string | readonly string[], holds: () => unknown): void {
  const all = typeof ids === 'string' ? [ids] : ids;
  const unknown = all.filter((id) => !ROWS.has(id));
  if (unknown.length > 0) throw new Error(`the table has no row ${unknown.join(', ')}`);
  // The test's own context is kept from it: what a row demands is not skipped.
  const test = it(all.map((id) => `${id}: ${ROWS.get(id)?.clause}`).join(' '), async () => void (await holds()));
  rows.set(test, all);
}
