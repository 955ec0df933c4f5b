// Compiles TypeScript and copies what is read at run time beside the compiled files; what has no source any more goes,
// so that a test or a case that was removed is not run from an old build. The JS tag's modules become one small script, the
// dashboard's pages a folder of files.
// Usage: node scripts/build.mjs [outDir=dist]
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { buildDashboard } from '../dashboard/build.mjs';

const outDir = process.argv[2] ?? 'dist';
const sources = [
  'actors',
  'async',
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

/** The compiler's exit code. It runs beside the bundler of the dashboard: a fresh clone waits for both. */
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

const compiling = compile();

const tag = 'gateways/edge/tags/tag-js/tag';
buildSync({
  entryPoints: [`${tag}.ts`],
  outfile: join(outDir, `${tag}.js`),
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
});

const [code] = await Promise.all([compiling, buildDashboard(join(outDir, 'dashboard'))]);

for (const folder of sources) {
  copyAssets(folder);
  removeOrphans(folder);
}
process.exit(code);
