// Compiles TypeScript and copies the files that are read at run time beside the compiled ones. Files without a source
// are removed, so that a deleted test or case does not run from an old build. The modules of the JS tag are bundled
// into one small script, the pages of the dashboard and of the documentation into folders, the program that is started
// into a few files. A build that succeeds is marked, so that `npm start` does not build again (source-stamp.mjs).
// Usage: node scripts/build.mjs [outDir=dist]
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { buildDashboard } from '../dashboard/build.mjs';
import { bundleProgram } from './bundle.mjs';
import { buildDocs } from './docs/build.mjs';
import { markBuilt, sourceStamp } from './source-stamp.mjs';

const outDir = process.argv[2] ?? 'dist';
const sources = [
  'actors',
  'async',
  'cli',
  'composition',
  'edge',
  'exchange',
  'gateways',
  'runtime',
  'scheduler',
  'settings',
  'test',
  'bench',
];
const compiled = /\.js(\.map)?$/;
const copied = /\.(lua|json|html|css|svg|ico|xml|mp4|webm|mp3|ogg|wav|m4a|aac|png|gif|jpg)$/;

const apiTypes = 'client/generated.d.ts';

/**
 * Compiles again if the types of the API's calls were missing, when every answer is `any`, or out of date: they are
 * written from the compiled routes, and those are there although a caller of them was refused.
 */
async function compileWithTypes() {
  const known = () => (existsSync(apiTypes) ? readFileSync(apiTypes, 'utf8') : null);
  const before = known();
  const code = await compile();
  if (code === 0) return code;
  spawnSync(process.execPath, ['dashboard/api/write-types.mjs'], { stdio: 'inherit' });
  return known() === before ? code : compile();
}

/**
 * Resolves with the exit code of the compiler. It runs beside the dashboard's bundler, because a fresh clone waits for
 * both.
 */
function compile() {
  const compiler = ['node_modules/typescript/bin/tsc', '--outDir', outDir];
  const child = spawn(process.execPath, [...compiler, '--tsBuildInfoFile', join(outDir, '.tsbuildinfo')], {
    stdio: 'inherit',
  });
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)));
}

function copyAssets(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) copyAssets(path);
    else if (copied.test(entry.name)) {
      const target = join(outDir, path);
      mkdirSync(dirname(target), { recursive: true });
      cpSync(path, target);
    }
  }
}

function removeOrphans(folder) {
  const built = join(outDir, folder);
  if (!existsSync(built)) return;
  for (const entry of readdirSync(built, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeOrphans(path);
    else if (
      compiled.test(path) ? !existsSync(path.replace(compiled, '.ts')) : copied.test(path) && !existsSync(path)
    ) {
      rmSync(join(outDir, path));
    }
  }
}

const stamp = sourceStamp();
const compiling = compileWithTypes();

const tag = 'gateways/edge/tags/tag-js/tag';
buildSync({
  entryPoints: [`${tag}.ts`],
  outfile: join(outDir, `${tag}.js`),
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
});

const [code] = await Promise.all([compiling, buildDashboard(join(outDir, 'dashboard')), buildDocs(outDir)]);

for (const folder of sources) {
  copyAssets(folder);
  removeOrphans(folder);
}
// Its files that are not compiled are those of a package.
removeOrphans('client');
if (code === 0) {
  await bundleProgram(outDir);
  markBuilt(stamp, outDir);
}
process.exit(code);
