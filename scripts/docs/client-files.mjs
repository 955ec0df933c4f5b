import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const CLIENT = join(import.meta.dirname, 'client');

/**
 * The script and style of the pages and the records that search reads, by names that contain their hash: they may be
 * kept for ever. `assets` has their addresses.
 */
export function clientFiles(records, base) {
  const { outputFiles } = buildSync({
    entryPoints: [join(CLIENT, 'site.mjs'), join(CLIENT, 'site.css')],
    outdir: 'assets',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    banner: { js: `/*! Search is by MiniSearch, MIT licence: ${base}/assets/minisearch-license.txt */` },
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [`assets/${basename(path)}`, contents]));
  const licence = join(dirname(fileURLToPath(import.meta.resolve('minisearch'))), '..', '..', 'LICENSE.txt');
  files.set('assets/minisearch-license.txt', readFileSync(licence));
  const text = JSON.stringify(records);
  const search = `assets/search-${createHash('sha256').update(text).digest('hex').slice(0, 8)}.json`;
  files.set(search, text);
  const named = (pattern) => `${base}/${[...files.keys()].find((path) => pattern.test(path))}`;
  return {
    files,
    assets: { script: named(/site-\w+\.js$/), style: named(/\.css$/), search: `${base}/${search}` },
  };
}
