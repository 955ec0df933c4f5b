/** What came of a row of the specification's table in one test file. */
export interface RowResult {
  readonly id: string;
  /** `money.test.ts` */
  readonly file: string;
  readonly state: 'passed' | 'failed' | 'left out';
}

/** What came of one group of tests, as the reporter writes it and the summary reads it. */
export interface Results {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Reason → how many tests. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** Test file → wall clock and processor time of this process in its suites, hooks included. */
  readonly files: Readonly<Record<string, { readonly ms: number; readonly cpuMs: number }>>;
  readonly rows: readonly RowResult[];
}
