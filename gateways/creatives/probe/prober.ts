import { Worker } from 'node:worker_threads';
import type { Clock } from '#runtime/ports/clock';
import { FetchFailed } from '../fetch/failures.ts';
import type { ProbeResult } from './probe-file.ts';
import type { ProbeAnswer, ProbeQuestion } from './probe-worker.ts';

/** Most files take about 10 ms; a file that takes this long was made to be slow. */
const PROBE_TIMEOUT_MS = 5_000;
/** The worker ends, and frees its memory, after this many ms without a probe. */
const IDLE_MS = 60_000;
const MAX_HEAP_MB = 256;

/**
 * Probes files in a worker thread, one file at a time, in order. The thread starts with the first probe. A file that
 * crashes or hangs its reader affects that thread only.
 */
export class Prober {
  readonly #clock: Clock;
  #worker: Worker | null = null;
  #cancelIdle: () => void = () => {};
  #last: Promise<unknown> = Promise.resolve();
  #asked = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Probes a file; null when its type cannot be found.
   * @throws FetchFailed when the probe takes too long; the abort reason of `signal`, as soon as it aborts
   */
  probe(path: string, signal: AbortSignal): Promise<ProbeResult | null> {
    const turn = this.#last.then(() => (signal.aborted ? null : this.#ask(path)));
    this.#last = turn.catch(() => undefined);
    return unlessAborted(turn, signal);
  }

  async close(): Promise<void> {
    this.#cancelIdle();
    await this.#last;
    this.#cancelIdle();
    await this.#end();
  }

  #ask(path: string): Promise<ProbeResult | null> {
    this.#cancelIdle();
    this.#worker ??= startWorker();
    const worker = this.#worker;
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
      const onMessage = (answer: ProbeAnswer) => {
        if (answer.id !== id) return;
        settle(false);
        resolve(answer.probed);
      };
      const onBroken = () => {
        settle(true);
        resolve(null);
      };
      const cancelTimeout = this.#clock.after(PROBE_TIMEOUT_MS, () => {
        settle(true);
        reject(new FetchFailed(`leads to a file that could not be looked into within ${PROBE_TIMEOUT_MS / 1000} s`));
      });
      worker.on('message', onMessage);
      worker.on('error', onBroken);
      worker.on('exit', onBroken);
      worker.postMessage({ id, path } satisfies ProbeQuestion);
    });
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }
}

function startWorker(): Worker {
  const worker = new Worker(new URL('probe-worker.js', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  // A stopping process does not wait for the worker. Errors are handled by the probe under way.
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
