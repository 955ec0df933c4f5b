// `npm run test:quick`: builds if the build is not current, then runs the groups that compute in one process without
// servers.
//
//   npm run test:quick               the quick groups, and a summary of what was skipped and why
//   npm run test:quick -- --watch    the same tests from their sources, without a build; after a change those it affects
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const HERE = join('scripts', 'tests');
const rest = process.argv.slice(2).filter((argument) => argument !== '--watch');
const programs =
  rest.length === process.argv.length - 2
    ? [[join('scripts', 'prepare.mjs')], [join(HERE, 'run.mjs'), '--select', 'quick', ...rest]]
    : [[join(HERE, 'watch.mjs'), 'quick']];

for (const program of programs) {
  const { status } = spawnSync(process.execPath, program, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
