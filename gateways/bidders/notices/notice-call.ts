import type { Dispatcher } from 'undici';
import type { Clock } from '#runtime/ports/clock';

/** `retry`: the host may take it later. The others as in `NoticeCounts`. */
export type NoticeAttemptResult = 'delivered' | 'refused' | 'retry';

/** Upper bound of an answer's body, which is not used; a longer one costs the connection. */
const MAX_BODY_BYTES = 16 * 1024;

/** One attempt at one notice: the HTTP client's handler, with a deadline of its own. Calls `done` exactly once. */
export class NoticeCall implements Dispatcher.DispatchHandler {
  readonly #done: (delivery: NoticeAttemptResult) => void;
  readonly #cancelTimer: () => void;
  #abort: ((error?: Error) => void) | null = null;
  #status = 0;
  #bytes = 0;
  #timedOut = false;
  #settled = false;

  constructor(timeoutMs: number, clock: Clock, done: (delivery: NoticeAttemptResult) => void) {
    this.#done = done;
    this.#cancelTimer = clock.after(timeoutMs, () => {
      this.#timedOut = true;
      this.#abort?.(new Error('notice timed out'));
    });
  }

  onConnect(abort: (error?: Error) => void): void {
    // Drops this request and keeps the connection, as in BidderCall.
    if (this.#timedOut) throw new Error('notice timed out');
    this.#abort = abort;
  }

  onHeaders(status: number): boolean {
    this.#status = status;
    return true;
  }

  onData(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    if (this.#bytes > MAX_BODY_BYTES) this.#abort?.(new Error('notice answer too long'));
    return true;
  }

  onComplete(): void {
    this.#settle();
  }

  onError(): void {
    this.#settle();
  }

  #settle(): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#cancelTimer();
    this.#done(attemptResultOf(this.#status));
  }
}

/** Request Timeout and Too Many Requests ask for another try (RFC 9110 §15.5.9, RFC 6585 §4). */
const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([408, 429]);

/** `status`: 0 without an answer. */
function attemptResultOf(status: number): NoticeAttemptResult {
  if (status < 200 || status >= 500 || RETRYABLE_STATUSES.has(status)) return 'retry';
  return status < 400 ? 'delivered' : 'refused';
}
