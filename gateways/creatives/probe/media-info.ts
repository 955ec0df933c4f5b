import { Worker } from 'node:worker_threads';
import type { Clock } from '../../../runtime/ports/clock.ts';
import type { ProbeAnswer, ProbeQuestion } from './media-info-worker.ts';

/** A file that holds MediaInfo up for this long is not worth knowing more of. */
const PROBE_TIMEOUT_MS = 10_000;
/** Its memory is given back when nobody has asked for this long. */
const IDLE_MS = 60_000;

/** MediaInfo in a thread of its own, which comes with the first question; one file at a time, in order. */
export class MediaInfo {
  readonly #clock: Clock;
  #worker: Worker | null = null;
  #cancelIdle: () => void = () => {};
  #last: Promise<unknown> = Promise.resolve();
  #asked = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** MediaInfo's report on a file; null when it can make nothing of it. Never rejects. */
  report(path: string): Promise<unknown> {
    const next = this.#last.then(() => this.#ask(path));
    this.#last = next;
    return next;
  }

  async close(): Promise<void> {
    this.#cancelIdle();
    await this.#last;
    this.#cancelIdle();
    await this.#end();
  }

  #ask(path: string): Promise<unknown> {
    this.#cancelIdle();
    this.#worker ??= startWorker();
    const worker = this.#worker;
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve) => {
      const settle = (report: unknown, broken: boolean) => {
        cancelTimeout();
        worker.off('message', onMessage);
        worker.off('error', onBroken);
        worker.off('exit', onBroken);
        if (broken) void this.#end();
        this.#cancelIdle = this.#clock.after(IDLE_MS, () => void this.#end());
        resolve(report);
      };
      const onMessage = (answer: ProbeAnswer) => {
        if (answer.id === id) settle(answer.report, false);
      };
      const onBroken = () => settle(null, true);
      const cancelTimeout = this.#clock.after(PROBE_TIMEOUT_MS, onBroken);
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
  const worker = new Worker(new URL('media-info-worker.js', import.meta.url));
  // A stopping process does not wait for it; and what it fails with is a question's to hear.
  worker.unref();
  worker.on('error', () => undefined);
  return worker;
}
