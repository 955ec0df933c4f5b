// Tells whether the last build is of the sources as they are.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = [
  'cli',
  'composition',
  'actors',
  'async',
  'client',
  'edge',
  'exchange',
  'gateways',
  'runtime',
  'scheduler',
  'settings',
  'dashboard',
  'test',
  'bench',
  'scripts',
];
/** Files and folders that are generated or installed, and so are no sources. */
const MADE = /(^|\/)(node_modules|generated\.d\.ts|client\/dist)$/;
const SOURCE_FILE = /\.(tsx?|mjs|lua|json|html|css|svg|ico|xml)$/;

/** What changes with each source: of their paths, sizes and times, and of the lock file. */
export function sourceStamp(folder = '.') {
  const stamps = [];
  const collect = (path) => {
    if (MADE.test(path)) return;
    const stat = statSync(join(folder, path), { throwIfNoEntry: false });
    if (!stat) return;
    if (stat.isDirectory()) for (const name of readdirSync(join(folder, path)).sort()) collect(join(path, name));
    else if (SOURCE_FILE.test(path)) stamps.push(`${path} ${stat.size} ${stat.mtimeMs}`);
  };
  const programs = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  for (const source of [...SOURCES, 'tsconfig.json', ...programs]) collect(source);
  const lock = readFileSync(join(folder, 'package-lock.json'));
  return createHash('sha256').update(lock).update(stamps.join('\n')).digest('hex');
}

/** Whether `outDir` was built from sources with this stamp. */
export function isBuiltOf(stamp, outDir) {
  const mark = join(outDir, '.built');
  return existsSync(mark) && readFileSync(mark, 'utf8') === stamp;
}

/** Notes that `outDir` was built of the sources that had this stamp before: what changed meanwhile is built again. */
export function markBuilt(stamp, outDir) {
  mkdirSync(outDir, { recursive: true });
  writeFileSync(join(outDir, '.built'), stamp);
}
