/** What came of a row of the specification's table in one test file. */
export interface RowResult {
  readonly id: string;
  /** `money.test.ts` */
  readonly file: string;
  readonly state: 'passed' | 'failed' | 'left out';
}

export interface FileResults {
  /** Wall clock and processor time of this process in the file's suites, hooks included. */
  readonly ms: number;
  readonly cpuMs: number;
  readonly passed: number;
  readonly skipped: number;
}

/** A test or a hook; `file` is its path below `dist/`, empty where none is known. */
export interface FailedTest {
  readonly file: string;
  readonly title: string;
}

/** What came of one group of tests, as the reporter writes it and the summary reads it. */
export interface Results {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Reason → how many tests. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** By test file. */
  readonly files: Readonly<Record<string, FileResults>>;
  readonly failures: readonly FailedTest[];
  readonly rows: readonly RowResult[];
}
