import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';

/** Folders with sources; the dashboard is a separate program. */
const FOLDERS = [
  'actors',
  'async',
  'bench',
  'composition',
  'edge',
  'exchange',
  'gateways',
  'runtime',
  'scheduler',
  'settings',
  'test',
];
const IMPORTED = /(?:\bfrom|\bimport|\bimport\()\s*'((?:\.{1,2}\/|#)[^']+)'/g;

/**
 * Reads all TypeScript sources of the product and its tests into a map of path → text. `roots` are the paths to watch.
 */
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

/** The paths of ours that a source in `folder` imports; packages are not included. */
function importsIn(text, folder) {
  return [...text.matchAll(IMPORTED)].map(([, specifier]) =>
    specifier.startsWith('#') ? `${specifier.slice(1)}.ts` : join(folder, specifier),
  );
}

/**
 * The sources that a change of these files affects: the files themselves and all direct and indirect importers. A file
 * that is no source (cases, a Lua script, a page) affects the sources in the nearest folder above it that has any.
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

/** The sources that read a file which is no source; none for top-level files such as documents and tool settings. */
function readersOf(path, sources) {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const beside = [...sources.keys()].filter((source) => dirname(source) === folder);
    if (beside.length > 0) return beside;
  }
  return [];
}
