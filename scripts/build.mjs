// Compiles TypeScript and copies what is read at run time beside the compiled files.
// Usage: node scripts/build.mjs [outDir=dist]
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const outDir = process.argv[2] ?? 'dist';
const sources = ['actors', 'exchange', 'gateways', 'runtime', 'scheduler', 'test', 'bench'];
const copied = /\.(lua|json|html|css|svg|ico|xml)$/;

const tsc = spawnSync(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '--outDir', outDir, '--tsBuildInfoFile', join(outDir, '.tsbuildinfo')],
  { stdio: 'inherit' },
);

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
for (const folder of sources) copyAssets(folder);
process.exit(tsc.status ?? 1);
