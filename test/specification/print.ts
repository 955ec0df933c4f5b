import { writeFile } from 'node:fs/promises';
import { LISTED_SHAPES } from './additions.ts';
import { additionsPage } from './additions-page.ts';
import { conformanceDocument, counts } from './conformance.ts';
import { TABLE } from './table.ts';

/**
 * `npm run conformance`: writes docs/conformance.md and docs/additions.md, in the folder it is run in, and prints the
 * counts.
 */
await writeFile('docs/conformance.md', conformanceDocument(TABLE));
await writeFile('docs/additions.md', additionsPage(LISTED_SHAPES));
for (const [what, count] of counts(TABLE.flatMap(({ rows }) => rows))) {
  process.stdout.write(`${String(count).padStart(5)}  ${what}\n`);
}
