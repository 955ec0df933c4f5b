// Builds the published package into client/dist: the compiled client with its types, those of the API's calls included.
// Usage: node client/build.mjs, after a build of the exchange
import { spawnSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const target = join(import.meta.dirname, 'dist');

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

run('dashboard/api/write-types.mjs');
rmSync(target, { recursive: true, force: true });
run('node_modules/typescript/bin/tsc', '-p', 'client');
copyFileSync(join(import.meta.dirname, 'generated.d.ts'), join(target, 'generated.d.ts'));
