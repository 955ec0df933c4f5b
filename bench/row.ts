/** One row of the result table. */
export interface Row {
  readonly what: string;
  readonly figure: string;
  /** The same measure of the floor, a bare implementation, taken in the same run; '' when there is none. */
  readonly floor: string;
  readonly ratio: string;
  readonly target: string;
  /** Whether the target is reached; null for a figure without a target and for a skipped row. */
  readonly reached: boolean | null;
}

/** A row that was skipped because it needs something that is missing. */
export function skipped(what: string, needs: string): Row {
  return { what, figure: `skipped: needs ${needs}`, floor: '', ratio: '', target: '', reached: null };
}

/** A row whose measurement failed. The run continues and ends with exit code 1. */
export function failed(what: string, error: unknown): Row {
  process.exitCode = 1;
  return { what, figure: `failed: ${(error as Error).message}`, floor: '', ratio: '', target: '', reached: null };
}

/** The rows of a measurement, or one that says why it failed: those of others are not lost with it. */
export function orFailed(what: string, measure: () => Promise<Row[]>): Promise<Row[]> {
  return measure().catch((error) => [failed(what, error)]);
}

export function micros(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} µs`;
}

export function millis(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 1)} ms`;
}

export function perSecond(value: number): string {
  return `${Math.round(value).toLocaleString('en-US')}/s`;
}

export function times(value: number): string {
  return `${value.toFixed(2)} ×`;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** Formats the rows as a Markdown table that can be pasted into docs/performance.md. */
export function table(rows: readonly Row[]): string {
  const head = ['what', 'figure', 'floor', 'ratio', 'to reach', 'reached'];
  const lines = rows.map(({ what, figure, floor, ratio, target: targetText, reached }) => {
    return [what, figure, floor, ratio, targetText, reached === null ? '' : reached ? 'yes' : 'NO'];
  });
  const widths = head.map((title, column) => Math.max(title.length, ...lines.map((line) => line[column]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...lines.map(line)].join('\n');
}
