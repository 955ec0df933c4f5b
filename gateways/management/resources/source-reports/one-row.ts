import type { Table } from '../../routing/table.ts';

type Field = string | number;

/** A report on one source as a table of one row; what is nested stands beside the rest, under its own name. */
export function oneRow(report: Readonly<Record<string, Field | Readonly<Record<string, Field>>>>): Table {
  const fields = Object.entries(report).flatMap(([name, value]) =>
    typeof value === 'object' ? Object.entries(value) : [[name, value] as const],
  );
  return { columns: fields.map(([name]) => name), rows: [fields.map(([, value]) => value)] };
}
