// Makes `npm start` and `npm test` work on a fresh clone: installs the packages of the lock file unless they are there, and
// builds when a source is newer than the last build; pages of the documentation are made anew by themselves. When all
// are current it returns quickly.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagesAreInstalled } from './installed-packages.mjs';

const BUILT = join('dist', '.built');
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

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}

if (!packagesAreInstalled()) {
  console.log('Installing packages …');
  // The compiler is a development dependency, which NODE_ENV=production would leave out.
  run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
}

const stamps = [];
function collect(path) {
  if (MADE.test(path)) return;
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return;
  if (stat.isDirectory()) for (const name of readdirSync(path).sort()) collect(join(path, name));
  else if (SOURCE_FILE.test(path)) stamps.push(`${path} ${stat.size} ${stat.mtimeMs}`);
}
for (const source of [...SOURCES, 'tsconfig.json', ...readdirSync('.').filter((name) => name.endsWith('.ts'))]) {
  collect(source);
}
const stamp = createHash('sha256').update(readFileSync('package-lock.json')).update(stamps.join('\n')).digest('hex');
if (!existsSync(BUILT) || readFileSync(BUILT, 'utf8') !== stamp) {
  console.log('Building …');
  run(process.execPath, ['scripts/build.mjs']);
  mkdirSync('dist', { recursive: true });
  writeFileSync(BUILT, stamp);
} else {
  const { buildDocs } = await import('./docs/build.mjs');
  await buildDocs('dist');
}
