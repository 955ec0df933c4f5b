import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../support/eventually.ts';
import { callJson } from '../../support/exchange.ts';

const PROGRAM = fileURLToPath(new URL('../../../bundle/main.js', import.meta.url));
const READY_WITHIN_MS = 90_000;

/** So that a suite that ends in the middle leaves no process behind. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** The whole program in a process of its own, which can be killed and started again with the same settings. */
export class ExchangeProcess {
  readonly name: string;
  readonly environment: Record<string, string>;
  /** The path of the program that the next start runs. */
  program = PROGRAM;
  readonly #readyWithinMs: number;
  #child: ChildProcess | null = null;
  #output = '';
  /** Whether the end of the process that runs was asked for. */
  #endAsked = false;
  #endedByItself: string | null = null;
  #onEnd: (problem: string) => void = () => {};

  /** What of the environment changes holds from the next start on. */
  constructor(name: string, environment: Record<string, string>, readyWithinMs = READY_WITHIN_MS) {
    this.name = name;
    this.environment = environment;
    this.#readyWithinMs = readyWithinMs;
  }

  /** What it has written, for a failure. */
  get output(): string {
    return this.#output;
  }

  /** How a process of this name ended without being asked to; null: none did. */
  get endedByItself(): string | null {
    return this.#endedByItself;
  }

  /** Rejects when the process ends without being asked to. */
  async watch(signal: AbortSignal): Promise<void> {
    if (this.#endedByItself !== null) throw new Error(this.#endedByItself);
    await new Promise<void>((resolve, reject) => {
      this.#onEnd = (problem) => reject(new Error(problem));
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** Resolves when it is ready to serve. */
  async start(): Promise<void> {
    const { PATH } = process.env;
    const child = spawn(process.execPath, [this.program], {
      env: { ...(PATH && { PATH }), ...this.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    running.add(child);
    this.#endAsked = false;
    child.once('exit', (code, signal) => {
      running.delete(child);
      if (this.#endAsked) return;
      this.#endedByItself ??= `${this.name} ended by itself (${code ?? signal}): ${this.#output.slice(-2_000)}`;
      this.#onEnd(this.#endedByItself);
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        this.#output += `${this.name}: ${chunk}`;
      });
    }
    await eventually(
      `${this.name} to be ready`,
      async () => {
        if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
        return (await callJson('GET', `http://127.0.0.1:${this.environment.OPS_PORT}/readyz`)).status === 200;
      },
      { timeoutMs: this.#readyWithinMs, everyMs: 50 },
    );
  }

  /** kill −9. Throws when it had ended by itself. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) throw new Error(`${this.name} had ended: ${child?.exitCode}`);
    this.#endAsked = true;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  /** As an orchestrator stops it. Resolves with the exit code. */
  async stop(): Promise<number | null> {
    const child = this.#child;
    if (!child || child.exitCode !== null) throw new Error(`${this.name} had ended: ${child?.exitCode}`);
    this.#endAsked = true;
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    const [code] = await exit;
    return code;
  }

  /** Whatever state it is in. */
  async end(): Promise<void> {
    if (this.#child && this.#child.exitCode === null && this.#child.signalCode === null) await this.kill();
  }
}
