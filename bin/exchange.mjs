#!/usr/bin/env node
// Starts the command line from the compiled program. In a clone that was not built yet, packages are installed and
// the program is built first; what that says goes to standard error.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const program = new URL('dist/cli/main.js', root);
if (!existsSync(program)) {
  const { status } = spawnSync(process.execPath, ['scripts/prepare.mjs'], {
    cwd: fileURLToPath(root),
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
}
await import(program.href);
