import type { Clock } from '#runtime/ports/clock';
import { BoundedThread } from '../../bounded-thread.ts';
import { FetchFailed } from '../../fetch/failures.ts';
import type { HtmlReading } from './read-html.ts';

export interface ReadingQuestion {
  readonly kind: 'html' | 'script';
  readonly text: string;
}

const READING_TIMEOUT_MS = 5_000;

/** Reads markup and scripts of bidders in a worker thread, one at a time, in order. */
export class MarkupReader {
  readonly #thread: BoundedThread<ReadingQuestion, HtmlReading>;

  constructor(clock: Clock) {
    const tooLong = () => new FetchFailed(`could not be read within ${READING_TIMEOUT_MS / 1000} s`);
    const module = new URL('reading-worker.js', import.meta.url);
    this.#thread = new BoundedThread(module, clock, READING_TIMEOUT_MS, tooLong);
  }

  /**
   * Null where the text breaks its reader.
   * @throws FetchFailed when it takes too long; the abort reason of `signal`, as soon as it aborts
   */
  read(question: ReadingQuestion, signal: AbortSignal): Promise<HtmlReading | null> {
    return this.#thread.ask(question, signal);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
