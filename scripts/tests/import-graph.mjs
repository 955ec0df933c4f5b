import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';

/** Folders with sources; those of the dashboard are another program's. */
const FOLDERS = ['actors', 'composition', 'edge', 'exchange', 'gateways', 'runtime', 'scheduler', 'test'];
const IMPORTED = /(?:\bfrom|\bimport|\bimport\()\s*'(\.{1,2}\/[^']+)'/g;

/** All TypeScript of the product and its tests: path → text. `roots` are what to watch. */
export function readSources() {
  const here = readdirSync('.');
  const folders = FOLDERS.filter((folder) => here.includes(folder));
  const paths = [
    ...here,
    ...folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true }).map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
    ),
  ].filter((path) => path.endsWith('.ts'));
  const sources = new Map(paths.map((path) => [path, readFileSync(path, 'utf8')]));
  const roots = [{ path: '.', recursive: false }, ...folders.map((folder) => ({ path: folder, recursive: true }))];
  return { roots, sources };
}

/** Paths that a text in `folder` imports by their place; packages are not among them. */
function importsIn(text, folder) {
  return [...text.matchAll(IMPORTED)].map(([, specifier]) => join(folder, specifier));
}

/**
 * The sources that a change of these files concerns: themselves and all that imports them, directly or not. A file that is no
 * source (cases, a script of Redis, a page) concerns the sources in the nearest folder above it that has any.
 */
export function affectedBy(changed, sources) {
  const importers = new Map();
  for (const [path, text] of sources) {
    for (const imported of importsIn(text, dirname(path))) {
      if (!importers.has(imported)) importers.set(imported, []);
      importers.get(imported).push(path);
    }
  }
  const affected = new Set();
  const waiting = [...changed].flatMap((path) => (path.endsWith('.ts') ? [path] : readersOf(path, sources)));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (affected.has(path)) continue;
    affected.add(path);
    waiting.push(...(importers.get(path) ?? []));
  }
  return affected;
}

/** None for files at the top: documents, settings of tools. */
function readersOf(path, sources) {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const beside = [...sources.keys()].filter((source) => dirname(source) === folder);
    if (beside.length > 0) return beside;
  }
  return [];
}
