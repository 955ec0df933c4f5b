import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { nodeOptions, programRoot } from '../../version.ts';
import { CommandFailed, EXIT, type Run } from '../definition.ts';

export const run: Run = async ({ options: { json } }) => {
  const root = await programRoot();
  prepare(root);
  const program = join(root, 'dist', 'bundle', 'main.js');
  const child = spawn(process.execPath, [...(await nodeOptions()), program], {
    stdio: ['inherit', json ? 'pipe' : 'inherit', 'inherit'],
  });
  // This process may end before the exchange, as when nobody reads its output any more.
  process.once('exit', () => child.kill('SIGTERM'));
  child.stdout?.pipe(process.stdout, { end: false });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const)
    process.on(signal, () => child.kill(signal));
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { json: undefined, text: '', exitCode: code ?? 128 + constants.signals[signal!] };
};

/** In a clone, what `npm start` does first; what it says goes to standard error. */
function prepare(root: string): void {
  if (!existsSync(join(root, 'scripts', 'prepare.mjs'))) return;
  const { status } = spawnSync(process.execPath, ['scripts/prepare.mjs'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new CommandFailed('The program could not be built.', EXIT.refused, 'NOT_BUILT');
}
