import { type Row, type Section, STAGES } from './row.ts';

/** docs/conformance.md: the counts, then the table section by section. */
export function conformanceDocument(table: readonly Section[]): string {
  const rows = table.flatMap((section) => section.rows);
  const lines = [
    '# Conformance',
    '',
    'What the specification demands, row by row, and the black-box test that shows it. Printed by `npm run conformance`',
    'from `test/specification/rows/`; a test fails when this page is not what would be printed. A row counts as shown in a run',
    'when its test passed in it: `npm run check` ends with a comparison, and fails where a row failed or was not shown. Tests',
    'bear the ids of their rows: `npm test -- --grep supply.create.201` runs those of one. Some want Redis and MongoDB.',
    '',
    '| | rows |',
    '|---|---:|',
    ...counts(rows).map(([what, count]) => `| ${what} | ${count} |`),
    '',
  ];
  for (const { title, rows: own } of table) {
    lines.push(
      `## ${title}`,
      '',
      `${own.filter(isShown).length} of ${own.length} shown.`,
      '',
      '| id | demand | shown by |',
      '|---|---|---|',
      ...own.map(({ id, clause, proof }) => `| ${id} | ${clause.replaceAll('|', '\\|')} | ${proofText(proof)} |`),
      '',
    );
  }
  return lines.join('\n');
}

/** How many rows are shown, how many each stage still owes, and all. */
export function counts(rows: readonly Row[]): [what: string, count: number][] {
  const owed = STAGES.map((stage): [string, number] => [
    `not yet (${stage})`,
    rows.filter(({ proof }) => 'notYet' in proof && proof.notYet === stage).length,
  ]);
  const onServers = rows.filter(needsRealServers).length;
  return [
    ['shown by a test', rows.filter(isShown).length - onServers],
    ['shown by a test that needs real servers', onServers],
    ...owed,
    ['all', rows.length],
  ];
}

function isShown({ proof }: Row): boolean {
  return 'shownIn' in proof;
}

function needsRealServers({ proof }: Row): boolean {
  return 'shownIn' in proof && proof.needsRealServers === true;
}

function proofText(proof: Row['proof']): string {
  if ('notYet' in proof) return `not yet (${proof.notYet})`;
  const needs = proof.needsRealServers ? ', needs real servers' : '';
  return `[${proof.shownIn}](../test/specification/${proof.shownIn})${needs}`;
}
