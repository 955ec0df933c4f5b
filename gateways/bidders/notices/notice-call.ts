import type { Dispatcher } from 'undici';
import type { Clock } from '../../../runtime/ports/clock.ts';

/** `retry`: the host may take it later. `delivered`: any answer below 500, because the host has heard. */
export type Delivery = 'delivered' | 'retry';

/** An answer's body is of no use; a longer one costs the connection. */
const MAX_BODY_BYTES = 16 * 1024;

/** One attempt at one notice: the HTTP client's handler, with a deadline of its own. Calls `done` exactly once. */
export class NoticeCall implements Dispatcher.DispatchHandler {
  readonly #done: (delivery: Delivery) => void;
  readonly #cancelTimer: () => void;
  #abort: ((error?: Error) => void) | null = null;
  #status = 0;
  #bytes = 0;
  #timedOut = false;
  #settled = false;

  constructor(timeoutMs: number, clock: Clock, done: (delivery: Delivery) => void) {
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
    this.#done(this.#status >= 200 && this.#status < 500 ? 'delivered' : 'retry');
  }
}
