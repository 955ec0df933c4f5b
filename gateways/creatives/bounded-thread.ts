import { Worker } from 'node:worker_threads';
import type { Clock } from '#runtime/ports/clock';

/** The worker ends, and frees its memory, after this many ms without a question. */
const IDLE_MS = 60_000;
const MAX_HEAP_MB = 256;

/** What the thread answers to the question of the same id. */
export interface ThreadAnswer<Answer> {
  readonly id: number;
  readonly answer: Answer | null;
}

export interface ThreadQuestion<Question> {
  readonly id: number;
  readonly question: Question;
}

/**
 * A worker thread that looks into what others wrote, one question at a time, in order. It starts with the first
 * question. What crashes it, or takes longer than `timeoutMs`, ends that thread only.
 */
export class BoundedThread<Question, Answer> {
  readonly #module: URL;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  /** The error of a question that takes too long. */
  readonly #tooLong: () => Error;
  #worker: Worker | null = null;
  #cancelIdle: () => void = () => {};
  #last: Promise<unknown> = Promise.resolve();
  #asked = 0;

  constructor(module: URL, clock: Clock, timeoutMs: number, tooLong: () => Error) {
    this.#module = module;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#tooLong = tooLong;
  }

  /**
   * Resolves with null when the thread has no answer, or dies.
   * @throws the error of what takes too long; the abort reason of `signal`, as soon as it aborts
   */
  ask(question: Question, signal: AbortSignal): Promise<Answer | null> {
    const turn = this.#last.then(() => (signal.aborted ? null : this.#ask(question)));
    this.#last = turn.catch(() => undefined);
    return unlessAborted(turn, signal);
  }

  async close(): Promise<void> {
    this.#cancelIdle();
    await this.#last;
    this.#cancelIdle();
    await this.#end();
  }

  #ask(question: Question): Promise<Answer | null> {
    this.#cancelIdle();
    const worker = this.#worker ?? this.#start();
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve, reject) => {
      const settle = (broken: boolean) => {
        cancelTimeout();
        worker.off('message', onMessage);
        worker.off('error', onBroken);
        worker.off('exit', onBroken);
        if (broken) void this.#end();
        this.#cancelIdle = this.#clock.after(IDLE_MS, () => void this.#end());
      };
      const onMessage = (answered: ThreadAnswer<Answer>) => {
        if (answered.id !== id) return;
        settle(false);
        resolve(answered.answer);
      };
      const onBroken = () => {
        settle(true);
        resolve(null);
      };
      const cancelTimeout = this.#clock.after(this.#timeoutMs, () => {
        settle(true);
        reject(this.#tooLong());
      });
      worker.on('message', onMessage);
      worker.on('error', onBroken);
      worker.on('exit', onBroken);
      worker.postMessage({ id, question } satisfies ThreadQuestion<Question>);
    });
  }

  #start(): Worker {
    const worker = startWorker(this.#module);
    this.#worker = worker;
    // One that dies between two questions would answer no further one.
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = null;
    });
    return worker;
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }
}

function startWorker(module: URL): Worker {
  const worker = new Worker(module, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
  // A stopping process does not wait for the worker. Errors are handled by the question under way.
  worker.unref();
  worker.on('error', () => undefined);
  return worker;
}

function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
