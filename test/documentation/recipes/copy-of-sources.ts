import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';

/** What is no source: packages, what was built, what tests and tools write. */
const NO_SOURCES = new Set(['node_modules', 'dist', '.build', '.git', 'data', 'coverage', 'screenshots']);

function isSource(path: string): boolean {
  return !NO_SOURCES.has(basename(path));
}

/** Copies the sources of `root` and what is built of them to a new folder, which shares the packages. */
export function copySources(root: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'exchange-recipes-'));
  cpSync(root, copy, { recursive: true, filter: (path) => path === root || isSource(path) });
  cpSync(join(root, 'dist'), join(copy, 'dist'), {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => !path.endsWith('.map'),
  });
  for (const folder of ['.', 'dashboard']) {
    const packages = join(root, folder, 'node_modules');
    if (existsSync(packages)) symlinkSync(packages, join(copy, folder, 'node_modules'));
  }
  return copy;
}

/** The sources that `copy` has and `root` has not, or has otherwise; and those that it lacks. */
export function differingSources(root: string, copy: string): string[] {
  const paths = new Set([...sourcesOf(root), ...sourcesOf(copy)]);
  const text = (folder: string, path: string) => {
    const file = join(folder, path);
    return existsSync(file) ? readFileSync(file, 'latin1') : null;
  };
  return [...paths].filter((path) => text(root, path) !== text(copy, path)).sort();
}

function sourcesOf(root: string, folder = root): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!isSource(path) || entry.isSymbolicLink()) return [];
    return entry.isDirectory() ? sourcesOf(root, path) : [relative(root, path)];
  });
}
