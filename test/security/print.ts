import { readFile, writeFile } from 'node:fs/promises';
import { readSecurityRows, withTables } from './tables.ts';

/** Writes the tables of docs/security.md from the rows in `rows/`. */
const DOCUMENT = 'docs/security.md';
await writeFile(DOCUMENT, withTables(await readFile(DOCUMENT, 'utf8'), await readSecurityRows()));
