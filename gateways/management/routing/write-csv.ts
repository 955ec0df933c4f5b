import { stringify } from 'csv-stringify/sync';
import type { Table } from './table.ts';

/** What makes a spreadsheet take a cell for a formula. */
const formula = /^[=+\-@\t\r]/;

/** RFC 4180, with a line of headings. Text that a spreadsheet would run as a formula gets an apostrophe before it. */
export function writeCsv({ columns, rows }: Table): string {
  return stringify(rows as unknown[][], {
    header: true,
    columns: [...columns],
    record_delimiter: 'windows',
    // Readers take it for the end of a line, alone or not.
    quoted_match: '\r',
    cast: { string: (text) => (formula.test(text) ? `'${text}` : text) },
  });
}
