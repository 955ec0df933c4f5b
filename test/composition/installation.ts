import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Answer, callJson } from '../support/exchange.ts';
import { type Ended, exchangeCommand } from '../support/exchange-command.ts';
import { freePort } from '../support/free-port.ts';

const MAIN = fileURLToPath(new URL('../../bundle/main.js', import.meta.url));

/** So that a test process that ends in the middle leaves nothing behind. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** One run of the program, in a process of its own. */
export class ExchangeProcess {
  stdout = '';
  stderr = '';
  readonly pid: number;
  readonly startedAt = performance.now();
  /** Resolves with the exit code; null when a signal ended it. */
  readonly exited: Promise<number | null>;
  readonly #child: ChildProcess;
  #heard: (() => void)[] = [];

  /**
   * @param main the file of the program
   * @param terminal whether its standard output is a terminal: that of `script` (util-linux), which passes on what is typed
   */
  constructor(
    environment: Readonly<Record<string, string>>,
    args: readonly string[] = [],
    main = MAIN,
    terminal = false,
  ) {
    const program = [process.execPath, main, ...args];
    const quoted = program.map((part) => `'${part}'`).join(' ');
    const [command, ...rest] = terminal ? ['script', '-qefc', `exec ${quoted}`, '/dev/null'] : program;
    this.#child = spawn(command!, rest, {
      env: { PATH: process.env.PATH, SHELL: '/bin/sh', ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.pid = this.#child.pid!;
    running.add(this.#child);
    this.#child.stdout!.on('data', (chunk) => this.#hear(() => (this.stdout += chunk)));
    this.#child.stderr!.on('data', (chunk) => this.#hear(() => (this.stderr += chunk)));
    // "close" and not "exit": all that it said has been read by then.
    this.exited = once(this.#child, 'close').then(([code]) => {
      running.delete(this.#child);
      this.#hear(() => undefined);
      return code;
    });
  }

  /** Resolves when it has said in its log that it serves. */
  async serving(): Promise<this> {
    await this.said(/"msg":"serving"\}\n/);
    return this;
  }

  /** Resolves when what it has written on standard output matches. */
  async said(wanted: RegExp): Promise<void> {
    while (!wanted.test(this.stdout)) {
      if (!running.has(this.#child)) throw new Error(`it ended before it said ${wanted}: ${this.stderr}${this.stdout}`);
      await new Promise<void>((resolve) => this.#heard.push(resolve));
    }
  }

  /** The lines of its log, each a JSON object. */
  get log(): Record<string, unknown>[] {
    return this.stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  }

  /** Types on its terminal. */
  type(keys: string): void {
    this.#child.stdin!.write(keys);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends it as `kill -9` does. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.exited;
  }

  #hear(take: () => void): void {
    take();
    for (const wake of this.#heard.splice(0)) wake();
  }
}

/** A data folder and ports of a test's own, on which the program is started again and again. */
export class Installation {
  readonly folder: string;
  environment: Readonly<Record<string, string>>;
  readonly #main: string;
  readonly #runs: ExchangeProcess[] = [];

  private constructor(folder: string, environment: Readonly<Record<string, string>>, main: string) {
    this.folder = folder;
    this.environment = environment;
    this.#main = main;
  }

  /** @param main the file of the program; by default its compiled modules */
  static async make(environment: Readonly<Record<string, string>> = {}, main = MAIN): Promise<Installation> {
    const folder = await mkdtemp(join(tmpdir(), 'exchange-process-'));
    const complete = {
      PORT: String(await freePort()),
      EDGE_PORT: String(await freePort()),
      OPS_PORT: String(await freePort()),
      DATA_DIR: join(folder, 'data'),
      PARTITIONS: '8',
      LOG_LEVEL: 'warn',
      ...environment,
    };
    return new Installation(folder, complete, main);
  }

  get baseUrl(): string {
    return `http://localhost:${this.environment.PORT}`;
  }

  get edgeUrl(): string {
    return `http://localhost:${this.environment.EDGE_PORT}`;
  }

  get opsUrl(): string {
    return `http://localhost:${this.environment.OPS_PORT}`;
  }

  /** Changes settings for all runs from now on. */
  change(changes: Readonly<Record<string, string>>): void {
    this.environment = { ...this.environment, ...changes };
  }

  /** `changes` are for this run alone. */
  run(changes: Readonly<Record<string, string>> = {}, args: readonly string[] = []): ExchangeProcess {
    return this.#kept(new ExchangeProcess({ ...this.environment, ...changes }, args, this.#main));
  }

  /** On a terminal, until its banner is there. */
  async startOnTerminal(): Promise<ExchangeProcess> {
    const run = this.#kept(new ExchangeProcess(this.environment, [], this.#main, true));
    await run.said(/The exchange is running[\s\S]*\r\n\r\n$/);
    return run;
  }

  /** What its first start made, before any user has read it. */
  async firstCredentials(): Promise<{ live_key: string; sandbox_key: string; email: string; password: string }> {
    return JSON.parse(await readFile(this.firstCredentialsPath, 'utf8'));
  }

  get firstCredentialsPath(): string {
    return join(this.environment.DATA_DIR!, 'first-credentials.json');
  }

  #kept(run: ExchangeProcess): ExchangeProcess {
    this.#runs.push(run);
    return run;
  }

  start(changes: Readonly<Record<string, string>> = {}): Promise<ExchangeProcess> {
    return this.run(changes).serving();
  }

  /** `exchange audit` of it while it is stopped. */
  audit(): Promise<Ended> {
    return exchangeCommand(this.environment, 'audit');
  }

  /** Calls the management API with the key of BOOTSTRAP_API_KEY, or of BOOTSTRAP_SANDBOX_API_KEY. */
  call(method: string, path: string, body?: unknown, environment: 'live' | 'sandbox' = 'live'): Promise<Answer> {
    const { BOOTSTRAP_API_KEY, BOOTSTRAP_SANDBOX_API_KEY } = this.environment;
    const key = environment === 'live' ? BOOTSTRAP_API_KEY : BOOTSTRAP_SANDBOX_API_KEY;
    return callJson(method, `${this.baseUrl}${path}`, body, { 'X-API-Key': key! });
  }

  async remove(): Promise<void> {
    for (const run of this.#runs) await run.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}
