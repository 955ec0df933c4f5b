import { spawn, spawnSync } from 'node:child_process';
import type { Context } from 'mocha';
import { skipWithReason } from '../../support/skipped-tests.ts';

/** Skips the tests where Prometheus and promtool are not installed; with REQUIRE_REAL_SERVERS=1 fails them instead. */
export function requirePrometheus(test: Context): void {
  if (['prometheus', 'promtool'].every((program) => spawnSync(program, ['--version']).status === 0)) return;
  if (process.env.REQUIRE_REAL_SERVERS === '1') throw new Error('prometheus is not installed, and it is required');
  skipWithReason(test, 'prometheus is not installed (the package of that name)');
}

/** Runs Debian's promtool; resolves with its exit code and all that it said. */
export function promtool(args: readonly string[], input = ''): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('promtool', args);
    let said = '';
    child.stdout.on('data', (chunk) => (said += chunk));
    child.stderr.on('data', (chunk) => (said += chunk));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, said }));
    child.stdin.end(input);
  });
}
