import { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Server, Socket } from 'node:net';
import { basename, relative } from 'node:path';
import { getActiveResourcesInfo } from 'node:process';
import Mocha from 'mocha';
import { rowsOf } from '../specification/shows.ts';
import type { FailedTest, FileResults, Results, RowResult } from './results.ts';
import { skipReasonOf } from './skipped-tests.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Time in ms for the run to release its resources after the last test; then it is ended with the outcome of the tests.
 */
const LET_GO_MS = 20_000;

/** The reason of a test that is skipped without one. */
const NO_REASON = 'no reason was given';

/** Mocha's `spec` reporter, which also writes the results as JSON to the file of `--reporter-option results=`. */
export default class ResultsReporter extends Mocha.reporters.Spec {
  readonly #leftOut: Record<string, number> = {};
  readonly #files: Record<string, Writable<FileResults>> = {};
  readonly #failures: FailedTest[] = [];
  readonly #rows: RowResult[] = [];

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const target: unknown = options.reporterOptions?.results;
    if (typeof target !== 'string') throw new Error('--reporter-option results=<file> is missing');
    this.#time(runner);
    runner.on('pass', (test) => {
      this.#of(test.file).passed++;
      this.#saw(test, 'passed');
    });
    runner.on('fail', (test) => {
      this.#failures.push({ file: fileOf(test.file), title: test.fullTitle() });
      this.#saw(test, 'failed');
    });
    runner.on('pending', (test) => {
      const reason = skipReasonOf(test) ?? NO_REASON;
      this.#leftOut[reason] = (this.#leftOut[reason] ?? 0) + 1;
      this.#of(test.file).skipped++;
      this.#saw(test, 'left out');
    });
    runner.once('end', () => {
      const { passes: passed, failures: failed, pending: skipped } = this.stats;
      const results: Results = {
        passed,
        failed,
        skipped,
        leftOut: this.#leftOut,
        files: this.#files,
        failures: this.#failures,
        rows: this.#rows,
      };
      writeFileSync(target, JSON.stringify(results));
      // Open resources say nothing about the exchange: they are printed, and the tests decide the outcome.
      setTimeout(() => {
        console.error(`${LET_GO_MS / 1000} s after the last test these are open: ${describeOpen()}`);
        process.exit(failed > 0 ? 1 : 0);
      }, LET_GO_MS).unref();
    });
  }

  /** Records the rows that a test shows. A failed hook is reported as a test of its own, which shows no row. */
  #saw(test: Mocha.Test, state: RowResult['state']): void {
    for (const id of rowsOf(test)) {
      this.#rows.push({ id, file: basename(test.file ?? '').replace(/\.js$/, '.ts'), state });
    }
  }

  /** Measures the top-level suites of each file, which run one after another. */
  #time(runner: Mocha.Runner): void {
    let start = 0;
    let cpu = process.cpuUsage();
    runner.on('suite', (suite) => {
      if (suite.parent?.root !== true) return;
      start = performance.now();
      cpu = process.cpuUsage();
    });
    runner.on('suite end', (suite) => {
      if (suite.parent?.root !== true) return;
      const { user, system } = process.cpuUsage(cpu);
      const file = this.#of(suite.file);
      file.ms = Math.round(file.ms + performance.now() - start);
      file.cpuMs = Math.round(file.cpuMs + (user + system) / 1000);
    });
  }

  #of(file: string | undefined): Writable<FileResults> {
    const name = fileOf(file);
    this.#files[name] ??= { ms: 0, cpuMs: 0, passed: 0, skipped: 0 };
    return this.#files[name];
  }
}

function fileOf(file: string | undefined): string {
  return file === undefined ? '' : relative('dist', file);
}

/**
 * Describes the open resources: `TCPSocketWrap ×3, ProcessWrap ×1: 127.0.0.1:40312→127.0.0.1:6379, …, process 4711`.
 */
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
