import type { Table } from '../../routing/table.ts';

type Field = string | number;

/**
 * Turns a report on one source into a table of one row. Fields of a nested object become columns of their own names.
 */
export function oneRow(report: Readonly<Record<string, Field | Readonly<Record<string, Field>>>>): Table {
  const fields = Object.entries(report).flatMap(([name, value]) =>
    typeof value === 'object' ? Object.entries(value) : [[name, value] as const],
  );
  return { columns: fields.map(([name]) => name), rows: [fields.map(([, value]) => value)] };
}
