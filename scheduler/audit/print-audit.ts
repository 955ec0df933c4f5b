import type { Audit } from './audit-books.ts';
import type { CheckedTrail } from './check-trail.ts';
import type { Difference } from './difference.ts';

const SHOWN = 200;

/** The report of an audit for people: its scope and a table of the differences, with the accepted ones apart. */
export function printAudit({ stretch, ledgers, tallies, statements, budgets, differences, accepted }: Audit): string {
  const looked = `${ledgers} ledgers, ${tallies} tallies, ${statements} statements and ${budgets} budgets`;
  const span = `${stretch.fromMs === 0 ? 'all' : isoOf(stretch.fromMs)} up to ${isoOf(stretch.toMs)}`;
  const gone = accepted.length === 0 ? '' : `, but for ${accepted.length} differences that were accepted`;
  const summary =
    accepted.length === 0
      ? ''
      : `${tableOf(accepted.map((one) => ({ ...one, found: `${one.found}; ${one.accepted}` })))}\n`;
  if (differences.length === 0) return `${summary}The books balance${gone}: ${looked}, ${span}.\n`;
  return `${summary}${tableOf(differences)}The books do not balance: ${differences.length} differences in ${looked}, ${span}.\n`;
}

/** The same report for the audit trail. */
export function printTrail({ entries, chains, differences }: CheckedTrail): string {
  const looked = `${entries} entries in ${chains} chains`;
  if (differences.length === 0) return `The audit trail is whole: ${looked}.\n`;
  return `${tableOf(differences)}The audit trail is not whole: ${differences.length} differences in ${looked}.\n`;
}

function tableOf(differences: readonly Difference[]): string {
  const heading: Difference = { check: 'CHECK', where: 'WHERE', expected: 'EXPECTED', found: 'FOUND' };
  const rows = [heading, ...differences.slice(0, SHOWN)];
  const widths = (['check', 'where', 'expected'] as const).map((name) =>
    Math.max(...rows.map((row) => row[name].length)),
  );
  const lines = rows.map(({ check, where, expected, found }) =>
    [check.padEnd(widths[0]!), where.padEnd(widths[1]!), expected.padEnd(widths[2]!), found].join('  '),
  );
  const more = differences.length > SHOWN ? `… and ${differences.length - SHOWN} more\n` : '';
  return `${lines.join('\n')}\n${more}`;
}

function isoOf(atMs: number): string {
  return new Date(atMs).toISOString();
}
