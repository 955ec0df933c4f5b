/** The outcome of one row of the specification's table in one test file. */
export interface RowResult {
  readonly id: string;
  /** `money.test.ts` */
  readonly file: string;
  readonly state: 'passed' | 'failed' | 'left out';
}

export interface FileResults {
  /** Wall-clock time in ms of the file's suites, hooks included; `cpuMs` is the CPU time of this process. */
  readonly ms: number;
  readonly cpuMs: number;
  readonly passed: number;
  readonly skipped: number;
}

/** A failed test or hook; `file` is its path below `dist/`, or empty when unknown. */
export interface FailedTest {
  readonly file: string;
  readonly title: string;
}

/** The results of one group of tests, as the reporter writes them and the summary reads them. */
export interface Results {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Number of skipped tests by reason. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** Results by test file. */
  readonly files: Readonly<Record<string, FileResults>>;
  readonly failures: readonly FailedTest[];
  readonly rows: readonly RowResult[];
}
