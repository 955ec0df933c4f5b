import { inOneLine, styled } from './terminal.ts';

/** A cell of a table: text in one line, nothing for what is not there. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return inOneLine(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/**
 * Rows below a heading, columns aligned by two spaces; numbers at the right. The last column is not padded.
 * @returns lines that end themselves
 */
export function tableOf(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const cells = rows.map((row) => row.map(cell));
  const headings = columns.map((column) => cell(column).toUpperCase());
  const widths = headings.map((column, at) => Math.max(column.length, ...cells.map((row) => (row[at] ?? '').length)));
  const isNumeric = columns.map(
    (_, at) => rows.length > 0 && rows.every((row) => typeof row[at] === 'number' || row[at] === null),
  );
  const line = (row: readonly string[]) =>
    row
      .map((text, at) => {
        if (isNumeric[at]) return text.padStart(widths[at]!);
        return at === row.length - 1 ? text : text.padEnd(widths[at]!);
      })
      .join('  ')
      .trimEnd();
  return [styled('bold', line(headings)), ...cells.map(line)].map((text) => `${text}\n`).join('');
}

/**
 * A document for people: a line for each field, its name before it; then a table for each field that is a list of
 * documents.
 */
export function fieldsOf(document: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(document).filter((name) => !isListOfDocuments(document[name]));
  const width = Math.max(0, ...names.map((name) => name.length));
  const lines = names.map((name) => `${styled('bold', cell(name).padEnd(width))}  ${cell(document[name])}`.trimEnd());
  const tables = Object.entries(document).flatMap(([name, value]) =>
    isListOfDocuments(value) ? [`\n${styled('bold', cell(name))}:\n${tableOfDocuments(value)}`] : [],
  );
  return `${lines.map((line) => `${line}\n`).join('')}${tables.join('')}`;
}

function isListOfDocuments(value: unknown): value is readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'object' && one !== null);
}

function tableOfDocuments(documents: readonly Readonly<Record<string, unknown>>[]): string {
  const columns = [...new Set(documents.flatMap((document) => Object.keys(document)))];
  return tableOf(
    columns,
    documents.map((document) => columns.map((column) => document[column])),
  );
}
