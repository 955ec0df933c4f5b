import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

const FOLDER = join('.build', 'revisions');
const BUILT = '.built-for-comparison';

/**
 * Builds another revision once, in a work tree of its own below `.build`, and answers the path of the program that
 * its `npm start` runs.
 * @throws Error that names the failed step
 */
export function buildRevision(revision: string): string {
  const sha = run('git', ['rev-parse', '--verify', `${revision}^{commit}`], '.').trim();
  const folder = resolve(FOLDER, sha.slice(0, 12));
  if (existsSync(join(folder, BUILT))) return programOf(folder);
  if (!existsSync(folder)) run('git', ['worktree', 'add', '--detach', folder, sha], '.');
  const isLockShared =
    readFileSync('package-lock.json', 'utf8') === readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (!existsSync(join(folder, 'node_modules'))) {
    if (isLockShared) symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    else run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], folder);
  }
  run(process.execPath, ['scripts/build.mjs'], folder);
  run(process.execPath, ['-e', `fs.writeFileSync('${BUILT}', '')`], folder);
  return programOf(folder);
}

/** Revisions before the bundle start their modules. */
function programOf(folder: string): string {
  const bundle = join(folder, 'dist', 'bundle', 'main.js');
  return existsSync(bundle) ? bundle : join(folder, 'dist', 'main.js');
}

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? stderr}`);
}
