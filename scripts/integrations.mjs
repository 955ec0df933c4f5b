// Installs the clients of others that the exchange is tried with (integrations/package.json), when their lock file has
// changed since the last time, and tries them. They are no packages of the exchange: `npm start` and `npm test` do
// without.
//   node scripts/integrations.mjs             installs and tests
//   node scripts/integrations.mjs --install   installs alone
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'integrations';
const INSTALLED = join(FOLDER, 'node_modules', '.installed-lock');

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}

const lock = createHash('sha256')
  .update(readFileSync(join(FOLDER, 'package-lock.json')))
  .digest('hex');
if (!existsSync(INSTALLED) || readFileSync(INSTALLED, 'utf8') !== lock) {
  console.log('Installing the clients that the exchange is tried with …');
  run('npm', ['ci', '--prefix', FOLDER, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(INSTALLED, lock);
}
if (!process.argv.includes('--install')) run(process.execPath, ['scripts/tests/run.mjs', '--group', 'integrations']);
