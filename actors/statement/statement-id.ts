/** Who gets a statement: a publisher is paid, a demand source owes. */
export type StatementScope = 'publisher' | 'dsp';

/** The id of a statement: `<scope>:<whose>:<UTC month>`, e.g. `publisher:…:2026-03`. Live books only. */
export function statementId(scope: StatementScope, whose: string, month: string): string {
  return `${scope}:${encodeURIComponent(whose)}:${month}`;
}

/** What an id says. */
export function parseStatementId(id: string): {
  readonly scope: StatementScope;
  readonly whose: string;
  month: string;
} {
  const [scope, whose, month] = id.split(':');
  if ((scope !== 'publisher' && scope !== 'dsp') || whose === undefined || month === undefined) {
    throw new Error(`no statement is named ${id}`);
  }
  return { scope, whose: decodeURIComponent(whose), month };
}
