import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const MOCHA = join('node_modules', 'mocha', 'lib', 'cli', 'cli.js');
export const TESTS = join('dist', 'test');
/** A group is ended after this time, so that one that hangs does not block the run. */
const GROUP_MINUTES = 20;
/** A process that does not end this long after its tests is killed; the tests decide the outcome. */
const LET_GO_MS = 45_000;

/**
 * Runs test files in a process of their own. Resolves with the outcome; its `results` are undefined when the process
 * ended without any.
 */
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
  let letGo;
  let isKept = false;
  const look = setInterval(() => {
    if (letGo !== undefined || !existsSync(target)) return;
    letGo = setTimeout(() => {
      isKept = true;
      child.kill('SIGKILL');
    }, LET_GO_MS);
  }, 1_000);
  return new Promise((resolve) => {
    child.once('close', (ended, signal) => {
      clearTimeout(deadline);
      clearInterval(look);
      clearTimeout(letGo);
      const results = existsSync(target) ? JSON.parse(readFileSync(target, 'utf8')) : undefined;
      if (isKept) console.log(`The process of '${group.name}' went on after its tests, and was ended.`);
      const code = isKept && results !== undefined ? Number(results.failed > 0) : ended;
      const seconds = Math.round((performance.now() - started) / 1000);
      resolve({ group, results, code, signal, seconds, output: Buffer.concat(output).toString() });
    });
  });
}
