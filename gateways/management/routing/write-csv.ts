import { stringify } from 'csv-stringify/sync';
import type { Table } from './table.ts';

/** The first characters that make a spreadsheet read a cell as a formula. */
const formula = /^[=+\-@\t\r]/;

/**
 * Writes a table as CSV (RFC 4180) with a line of headings. Text that a spreadsheet would run as a formula gets a
 * leading apostrophe.
 */
export function writeCsv({ columns, rows }: Table): string {
  return stringify(rows as unknown[][], {
    header: true,
    columns: [...columns],
    record_delimiter: 'windows',
    // Readers take either for the end of a line, also without the other (RFC 4180 §2.6).
    quoted_match: ['\r', '\n'],
    cast: { string: (text) => (formula.test(text) ? `'${text}` : text) },
  });
}
