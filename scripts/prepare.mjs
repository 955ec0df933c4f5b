// Makes `npm start` and `npm test` work on a fresh clone: installs the packages of the lock file unless they are there,
// and builds when a source is newer than the last build; pages of the documentation are made anew by themselves. When
// all are current it returns quickly.
import { spawnSync } from 'node:child_process';
import { packagesAreInstalled } from './installed-packages.mjs';
import { isBuiltOf, sourceStamp } from './source-stamp.mjs';

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}

if (!packagesAreInstalled()) {
  console.log('Installing packages …');
  // The compiler is a development dependency, which NODE_ENV=production would leave out.
  run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
}

if (!isBuiltOf(sourceStamp(), 'dist')) {
  console.log('Building …');
  run(process.execPath, ['scripts/build.mjs']);
} else {
  const { buildDocs } = await import('./docs/build.mjs');
  await buildDocs('dist');
}
