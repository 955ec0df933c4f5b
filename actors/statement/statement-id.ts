/** The scope of a statement: a publisher is paid, a demand source owes. */
export type StatementScope = 'publisher' | 'dsp';

/**
 * The id of a statement: `<scope>:<source id>:<UTC month>`, e.g. `publisher:…:2026-03`. Statements cover live books
 * only.
 */
export function statementId(scope: StatementScope, sourceId: string, month: string): string {
  return `${scope}:${encodeURIComponent(sourceId)}:${month}`;
}

/** The parts of a statement's id. */
export function parseStatementId(id: string): {
  readonly scope: StatementScope;
  readonly whose: string;
  month: string;
} {
  const [scope, sourceId, month] = id.split(':');
  if ((scope !== 'publisher' && scope !== 'dsp') || sourceId === undefined || month === undefined) {
    throw new Error(`no statement is named ${id}`);
  }
  return { scope, whose: decodeURIComponent(sourceId), month };
}
