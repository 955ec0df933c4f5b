import { spawn } from 'node:child_process';

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
