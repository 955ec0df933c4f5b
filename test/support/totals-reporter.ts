import { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Server, Socket } from 'node:net';
import { getActiveResourcesInfo } from 'node:process';
import Mocha from 'mocha';

/** How long a run may take to let go of what its tests had open, before it is ended with its own outcome. */
const LET_GO_MS = 20_000;

/** Mocha's `spec` output; beside it the totals of the run, as one line in the file that `--reporter-option totals=` names. */
export default class TotalsReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const file: unknown = options.reporterOptions?.totals;
    if (typeof file !== 'string') throw new Error('--reporter-option totals=<file> is missing');
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      writeFileSync(file, `${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ''}\n`);
      const failed = failures > 0;
      // What keeps the process does not tell of the exchange: it is named, and the tests decide.
      setTimeout(() => {
        console.error(`${LET_GO_MS / 1000} s after the last test these are open: ${describeOpen()}`);
        process.exit(failed ? 1 : 0);
      }, LET_GO_MS).unref();
    });
  }
}

/** `TCPSocketWrap ×3, ProcessWrap ×1: 127.0.0.1:40312→127.0.0.1:6379, …, process 4711`. */
function describeOpen(): string {
  const kinds = new Map<string, number>();
  for (const kind of getActiveResourcesInfo()) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const { _getActiveHandles: handles } = process as typeof process & { _getActiveHandles?: () => unknown[] };
  const named = (handles?.call(process) ?? []).map(nameHandle).filter((name) => name !== undefined);
  return `${[...kinds].map(([kind, count]) => `${kind} ×${count}`).join(', ')}: ${named.join(', ')}`;
}

function nameHandle(handle: unknown): string | undefined {
  if (handle instanceof Socket)
    return `${handle.localAddress}:${handle.localPort}→${handle.remoteAddress}:${handle.remotePort}`;
  if (handle instanceof Server) return `server at ${JSON.stringify(handle.address())}`;
  if (handle instanceof ChildProcess) return `process ${handle.pid} (${handle.spawnargs.join(' ')})`;
  return undefined;
}
