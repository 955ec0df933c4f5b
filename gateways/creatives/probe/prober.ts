import type { Clock } from '#runtime/ports/clock';
import { BoundedThread } from '../bounded-thread.ts';
import { FetchFailed } from '../fetch/failures.ts';
import type { ProbeResult } from './probe-file.ts';

/** Most files take about 10 ms; a file that takes this long was made to be slow. */
const PROBE_TIMEOUT_MS = 5_000;

/**
 * Probes files in a worker thread, one file at a time, in order. A file that crashes or hangs its reader affects that
 * thread only.
 */
export class Prober {
  /** Asked by the path of a file. */
  readonly #thread: BoundedThread<string, ProbeResult>;

  constructor(clock: Clock) {
    const tooLong = () =>
      new FetchFailed(`leads to a file that could not be looked into within ${PROBE_TIMEOUT_MS / 1000} s`);
    this.#thread = new BoundedThread(new URL('probe-worker.js', import.meta.url), clock, PROBE_TIMEOUT_MS, tooLong);
  }

  /**
   * Probes a file. Its type is `UNKNOWN_TYPE` where it cannot be found.
   * @throws FetchFailed when the probe takes too long, or the thread dies, which may be for no reason of the file's; the
   * abort reason of `signal`, as soon as it aborts
   */
  async probe(path: string, signal: AbortSignal): Promise<ProbeResult> {
    const found = await this.#thread.ask(path, signal);
    if (found === null) throw new FetchFailed('leads to a file that could not be looked into');
    return found;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
