/** A later stage of the work, by its name, for what is not there yet. */
export type Stage = 'management API' | 'ad serving and demand' | 'measurement and money' | 'dashboard' | 'regions';

export const STAGES: readonly Stage[] = [
  'management API',
  'ad serving and demand',
  'measurement and money',
  'dashboard',
  'regions',
];

/** One thing that the specification demands, small enough for one test to show. */
export interface Row {
  /** Stable; the row's tests bear it, so that `mocha --grep <id>` runs them. */
  readonly id: string;
  /** What is demanded, in a line of Markdown. */
  readonly clause: string;
  /**
   * The test file of this folder that shows it, which may want Redis and MongoDB to be there, or the stage that will.
   */
  readonly proof: { readonly shownIn: string; readonly needsRealServers?: true } | { readonly notYet: Stage };
}

export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** Rows that tests in `file` show: id → clause. */
export function rowsShownIn(file: string, clauses: Readonly<Record<string, string>>): Row[] {
  return Object.entries(clauses).map(([id, clause]) => ({ id, clause, proof: { shownIn: file } }));
}

/** Rows that tests in `file` show on Redis and MongoDB alone; they are left out where neither is: id → clause. */
export function rowsShownOnRealServersIn(file: string, clauses: Readonly<Record<string, string>>): Row[] {
  const proof = { shownIn: file, needsRealServers: true } as const;
  return Object.entries(clauses).map(([id, clause]) => ({ id, clause, proof }));
}

/** Rows that a later stage fills: id → clause. */
export function rowsOfLaterStage(stage: Stage, clauses: Readonly<Record<string, string>>): Row[] {
  return Object.entries(clauses).map(([id, clause]) => ({ id, clause, proof: { notYet: stage } }));
}
