import type { Dispatcher } from 'undici';
import type { DspProjection } from '../../actors/dsp/fields.ts';
import type { CallOutcome } from '../../edge/auction/bidders.ts';
import type { NoBidReason } from '../../exchange/auction/loss-reason.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { Channel } from './connection-pool.ts';
import { ResponseBody } from './response-body.ts';

/** The owner of a call. It is notified once when the call has ended, and once when the HTTP client has released it. */
export interface CallOwner {
  readonly dsp: DspProjection;
  settled(call: BidderCall): void;
  released(): void;
}

const NO_BID: CallOutcome = { reason: 'no-bid', detail: '' };
const TIMEOUT: CallOutcome = { reason: 'timeout', detail: '' };

class CallAbandoned extends Error {
  override readonly name = 'CallAbandoned';
}
/** One error for all calls: errors thrown into the client are never seen, and stack traces are expensive. */
const ABANDONED = new CallAbandoned('the auction is over');

/**
 * One bidder's call in one auction. It is also the handler that the HTTP client calls.
 *
 * It implements the client's raw hooks: the newer controller interface parses each answer's headers into an object and
 * measurably costs more per call. No hook throws, except `onConnect` on purpose.
 */
export class BidderCall implements Dispatcher.DispatchHandler {
  readonly bidder: CallOwner;
  /** Monotonic ms at which the call is given up. */
  readonly deadlineMs: number;
  /** The circuit breaker's ticket. */
  readonly ticket: number;
  /** Null while the call is under way. */
  outcome: CallOutcome | null = null;
  /**
   * ms from the request's first byte on the wire to the end; 0 when nothing was sent. The wait for a connection is
   * measured separately.
   */
  latencyMs = 0;
  /** ms from the start to the request's first byte on the wire. */
  connectionWaitMs = 0;

  readonly #connection: Channel;
  readonly #clock: Clock;
  readonly #ended: () => void;
  readonly #startedMs: number;
  readonly #body: ResponseBody;
  #sentMs = 0;
  #status = 0;
  #abort: ((error?: Error) => void) | null = null;
  #released = false;

  constructor(
    bidder: CallOwner,
    connection: Channel,
    ticket: number,
    startedMs: number,
    deadlineMs: number,
    maxResponseBytes: number,
    clock: Clock,
    ended: () => void,
  ) {
    this.bidder = bidder;
    this.#connection = connection;
    this.ticket = ticket;
    this.deadlineMs = deadlineMs;
    this.#startedMs = startedMs;
    this.#body = new ResponseBody(maxResponseBytes);
    this.#clock = clock;
    this.#ended = ended;
  }

  /** Gives the call up: the socket is closed at once, so that the bidder notices too. */
  timeOut(): void {
    if (this.#hasBadStatus) this.#fail('http-error', `status ${this.#status}`);
    else this.#settle(TIMEOUT);
    this.#abort?.(ABANDONED);
  }

  onConnect(abort: (error?: Error) => void): void {
    // An error thrown here drops this request only. `abort` would also close the connection that was just made, and a
    // bidder whose handshake takes longer than an auction would never get one.
    if (this.outcome !== null) throw ABANDONED;
    this.#abort = abort;
    this.#sentMs = this.#clock.monotonic();
    this.connectionWaitMs = this.#sentMs - this.#startedMs;
  }

  /** HTTP status of the answer; 0 while there is none. */
  get status(): number {
    return this.#status;
  }

  /** The received part of the answer's body, decompressed; null when it cannot be read as text. */
  receivedText(): string | null {
    return this.#body.text();
  }

  onHeaders(status: number, headers: Buffer[]): boolean {
    if (status < 200) return true;
    this.#status = status;
    if (status !== 204) this.#body.readHeaders(headers);
    return true;
  }

  onData(chunk: Buffer): boolean {
    // An error's body is read to its end, so that the connection stays open, but never past the bound.
    if (!this.#body.add(chunk)) {
      this.#fail('response-too-large', 'larger than the bound');
      this.#abort?.(ABANDONED);
    }
    return true;
  }

  onComplete(): void {
    this.#release(true);
    if (this.outcome !== null) return;
    if (this.#hasBadStatus) this.#fail('http-error', `status ${this.#status}`);
    else if (this.#status === 204 || this.#body.empty) this.#settle(NO_BID);
    else this.#settle(this.#body.parse());
  }

  onError(error: Error): void {
    this.#release(false);
    this.#fail('unreachable', error.message);
  }

  /** A redirect is a bad status too: a bid endpoint is configured, not discovered. */
  get #hasBadStatus(): boolean {
    return this.#status !== 0 && this.#status !== 200 && this.#status !== 204;
  }

  #fail(reason: NoBidReason, detail: string): void {
    this.#settle({ reason, detail });
  }

  #settle(outcome: CallOutcome): void {
    if (this.outcome !== null) return;
    this.outcome = outcome;
    if (this.#sentMs > 0) this.latencyMs = this.#clock.monotonic() - this.#sentMs;
    this.bidder.settled(this);
    this.#ended();
  }

  #release(alive: boolean): void {
    if (this.#released) return;
    this.#released = true;
    this.#connection.release(alive);
    this.bidder.released();
  }
}
