import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Results, RowResult } from '../support/results.ts';
import { rowsInRun } from './rows-in-run.ts';
import { TABLE } from './table.ts';

/**
 * `node dist/test/specification/shown-in-run.js <folder of results>`: what tests that passed have shown of the table,
 * after a run. Ends with 1 when a row failed and, with WHOLE_RUN=1, when one that claims a test was not shown by it.
 */
const folder = process.argv[2];
if (folder === undefined) throw new Error('name the folder of the results');
const results: RowResult[] = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => (JSON.parse(readFileSync(join(folder, name), 'utf8')) as Results).rows);
const { counts, faults } = rowsInRun(
  TABLE.flatMap(({ rows }) => rows),
  results,
  {
    whole: process.env.WHOLE_RUN === '1',
    servers: process.env.REDIS_URL !== undefined && process.env.MONGODB_URL !== undefined,
  },
);
process.stdout.write(`Rows of the specification: ${counts.map(([what, count]) => `${count} ${what}`).join(', ')}.\n`);
for (const fault of faults) process.stdout.write(`  ${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
