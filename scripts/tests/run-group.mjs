import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const MOCHA = join('node_modules', 'mocha', 'lib', 'cli', 'cli.js');
export const TESTS = join('dist', 'test');
/** A group that hangs must not hang the run. */
const GROUP_MINUTES = 20;

/** Runs files in a process of their own. Resolves with what came of them; with `undefined` results when it ended without any. */
export function runGroup(group, files, folder) {
  const started = performance.now();
  const target = join(folder, `${group.name}.json`);
  const child = spawn(
    process.execPath,
    [
      '--enable-source-maps',
      MOCHA,
      '--reporter',
      join(TESTS, 'support', 'results-reporter.js'),
      '--reporter-option',
      `results=${target}`,
      ...files,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const deadline = setTimeout(() => child.kill('SIGKILL'), GROUP_MINUTES * 60_000);
  return new Promise((resolve) => {
    child.once('close', (code, signal) => {
      clearTimeout(deadline);
      const results = existsSync(target) ? JSON.parse(readFileSync(target, 'utf8')) : undefined;
      const seconds = Math.round((performance.now() - started) / 1000);
      resolve({ group, results, code, signal, seconds, output: Buffer.concat(output).toString() });
    });
  });
}
