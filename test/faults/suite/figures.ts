import { table } from '../../documentation/table.ts';
import type { Row } from './run-scenario.ts';
import { SCENARIOS } from './scenarios.ts';

/** A row, and the UTC day on which it was taken. */
export interface DatedRow extends Row {
  readonly takenOn: string;
}

/** docs/faults.json: the rows of the table, and where they were taken. */
export interface Figures {
  readonly machine: string;
  readonly rows: readonly DatedRow[];
}

export const FIGURES = 'docs/faults.json';
export const PAGE = 'docs/reliability.md';

const BEGIN = '<!-- faults: written by `npm run faults -- --write` -->';
const END = '<!-- /faults -->';

/** The page with the table of these figures in the place of the one that it has. */
export function withTable(page: string, figures: Figures): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`${PAGE} has no place for the table: ${BEGIN} … ${END}`);
  return `${before}${BEGIN}\n\n${tableOf(figures)}\n\n${END}${after}`;
}

/** New rows beside those of scenarios that were not run, in the order of the scenarios. */
export function updated(before: readonly DatedRow[], now: readonly Row[], takenOn: string): DatedRow[] {
  const dated = now.map((row) => ({ ...row, takenOn }));
  return SCENARIOS.flatMap(({ name }) => [...dated, ...before].find((row) => row.name === name) ?? []);
}

/** Rows that fail: something lost, doubled or wrong, or a recovery that took longer than is promised. */
export function failures(rows: readonly Row[]): string[] {
  return rows.flatMap(({ name, outcome: { acknowledged, billed, lost, doubled, wrong, recoveredMs } }) => {
    const { withinMs = Number.POSITIVE_INFINITY } = SCENARIOS.find((scenario) => scenario.name === name) ?? {};
    return [
      ...(lost + doubled > 0 || billed !== acknowledged ? [`${name}: ${lost} lost, ${doubled} doubled`] : []),
      ...wrong.map((what) => `${name}: ${what}`),
      ...(recoveredMs > withinMs ? [`${name}: recovered after ${recoveredMs} ms, promised are ${withinMs}`] : []),
    ];
  });
}

function tableOf({ machine, rows }: Figures): string {
  const head = [
    'What was done',
    'Ads',
    'Pixels',
    'Asks',
    'Acknowledged',
    'Billed',
    'Lost',
    'Doubled',
    'Recovered',
    'Taken on',
  ];
  const cells = rows.map(({ name, done, takenOn, outcome: { acknowledged, billed, lost, doubled, ...outcome } }) => [
    `\`${name}\`: ${done}`,
    ...[outcome.adsMs, outcome.impressionsMs, outcome.asksMs].map(seconds),
    ...[acknowledged, billed, lost, doubled].map((count) => count.toLocaleString('en')),
    seconds(outcome.recoveredMs),
    takenOn,
  ]);
  if (rows.length === 0) return 'No figures have been taken yet.';
  return `${table(head, cells)}\n\nTaken on ${machine}.`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
