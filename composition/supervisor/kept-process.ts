import { pause, systemTimer } from '../../async/pause.ts';
import type { Logger } from '../../runtime/actor/logger.ts';
import type { Served } from '../served.ts';
import type { Forked } from './protocol.ts';
import { SupervisedProcess } from './supervised-process.ts';

/** One that lived for less than this is started again after a while. */
const SHORT_LIFE_MS = 60_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
const LOOK_AGAIN_MS = 50;

/** The work of one process, which is started again whenever it ends. */
export class KeptProcess {
  readonly name: string;
  readonly #fork: () => Forked;
  readonly #logger: Logger;
  readonly #returned: () => void;
  readonly #stopping = new AbortController();
  #run: SupervisedProcess | null = null;
  #expectedEnd: SupervisedProcess | null = null;
  #kept: Promise<void> = Promise.resolve();

  /** @param returned called whenever it serves again after it had ended by itself */
  constructor(name: string, fork: () => Forked, logger: Logger, returned: () => void = () => {}) {
    this.name = name;
    this.#fork = fork;
    this.#logger = logger;
    this.#returned = returned;
  }

  /** The run that serves; null while there is none. */
  get serving(): SupervisedProcess | null {
    return this.#run?.isServing ? this.#run : null;
  }

  /** Starts it; resolves with what it serves. @throws Error when the first run ends before it serves */
  async start(): Promise<Served> {
    if (this.#stopping.signal.aborted) throw new Error(`the process ${this.name} is stopped before its start`);
    const run = this.#begin();
    const served = await run.served;
    if (served === null) {
      const { code, signal } = await run.ended;
      throw new Error(`the process ${this.name} has ended at its start (${signal ?? code})`);
    }
    this.#kept = this.#keep(run);
    return served;
  }

  /** Has it drain and end, and resolves when another run serves in its place, or it is stopped. */
  async restart(): Promise<void> {
    const before = this.#run;
    if (before === null || this.#stopping.signal.aborted) return;
    this.#expectedEnd = before;
    before.restart();
    await before.ended;
    while (!this.#stopping.signal.aborted) {
      const run = this.#run;
      if (run !== null && run !== before && (await run.served) !== null) return;
      await pause(systemTimer, LOOK_AGAIN_MS, this.#stopping.signal);
    }
  }

  /** Ends it as a stop does; resolves when it has ended. A run that is draining already goes on with that. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#run?.stop();
    await this.#run?.ended;
    await this.#kept;
  }

  /** Ends it at once. */
  kill(): void {
    this.#run?.kill();
  }

  #begin(): SupervisedProcess {
    this.#run = new SupervisedProcess(this.name, this.#fork());
    return this.#run;
  }

  async #keep(first: SupervisedProcess): Promise<void> {
    let waitMs = FIRST_WAIT_MS;
    for (let run = first; ; ) {
      const sinceMs = performance.now();
      const { code, signal } = await run.ended;
      if (this.#stopping.signal.aborted) return;
      const isExpected = this.#expectedEnd === run;
      if (isExpected) waitMs = FIRST_WAIT_MS;
      else {
        const isShort = performance.now() - sinceMs < SHORT_LIFE_MS;
        const afterMs = isShort ? waitMs : 0;
        waitMs = isShort ? Math.min(2 * waitMs, LONGEST_WAIT_MS) : FIRST_WAIT_MS;
        this.#logger.error(
          { process: this.name, pid: run.pid, code, signal, afterMs },
          'a process has ended by itself',
        );
        await pause(systemTimer, afterMs, this.#stopping.signal);
        if (this.#stopping.signal.aborted) return;
      }
      run = this.#begin();
      this.#logger.info({ process: this.name, pid: run.pid }, 'a process is started in its place');
      if (!isExpected) void run.served.then((served) => served && this.#returned());
    }
  }
}
