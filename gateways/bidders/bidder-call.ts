import type { ConnectionProblem } from '../../actors/bidder-health/messages.ts';
import type { DspProjection } from '../../actors/dsp/fields.ts';
import type { CallOutcome } from '../../edge/auction/bidders.ts';
import type { NoBidReason } from '../../exchange/auction/loss-reason.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { Channel, ChannelCall, ContentCoding } from './channels/channel.ts';
import { ResponseBody } from './response-body.ts';

/** The owner of a call. It is notified once when the call has ended, and once when the channel has released it. */
export interface CallOwner {
  readonly dsp: DspProjection;
  settled(call: BidderCall): void;
  /** There was no connection over TLS; also when the call had been given up meanwhile. */
  notConnected(problem: ConnectionProblem): void;
  released(): void;
}

const NO_BID: CallOutcome = { reason: 'no-bid', detail: '' };
const TIMEOUT: CallOutcome = { reason: 'timeout', detail: '' };
const NOT_SENT: CallOutcome = { reason: 'insufficient-time', detail: 'not called: this edge was held up' };

/** One bidder's call in one auction, as its channel reports it. */
export class BidderCall implements ChannelCall {
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

  readonly #channel: Channel;
  readonly #clock: Clock;
  readonly #ended: (call: BidderCall) => void;
  readonly #startedMs: number;
  readonly #body: ResponseBody;
  #sentMs = 0;
  #status = 0;
  #released = false;

  constructor(
    bidder: CallOwner,
    channel: Channel,
    ticket: number,
    startedMs: number,
    deadlineMs: number,
    maxResponseBytes: number,
    clock: Clock,
    ended: (call: BidderCall) => void,
  ) {
    this.bidder = bidder;
    this.#channel = channel;
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
    // What is not sent yet waits for a connection, or for the end of the turn. The connection is worth keeping: a
    // bidder whose handshake takes longer than an auction would never get one.
    if (this.#sentMs === 0) return;
    this.#channel.abandon();
    this.#release();
  }

  sending(): boolean {
    if (this.outcome !== null) return false;
    const nowMs = this.#clock.monotonic();
    if (nowMs >= this.deadlineMs) {
      // This process stood still in the turn in which it was to call. The bidder has no part in that.
      this.#settle(NOT_SENT);
      return false;
    }
    this.#sentMs = nowMs;
    this.connectionWaitMs = this.#sentMs - this.#startedMs;
    return true;
  }

  /** HTTP status of the answer; 0 while there is none. */
  get status(): number {
    return this.#status;
  }

  /** The received part of the answer's body, decompressed; null when it cannot be read as text. */
  receivedText(): string | null {
    return this.#body.text();
  }

  head(status: number, coding: ContentCoding): void {
    this.#status = status;
    this.#body.coding = coding;
  }

  body(bytes: Buffer, start: number, end: number, isLast: boolean): boolean {
    // An error's body is read to its end, so that the connection stays open, but never past the bound.
    if (this.#body.add(bytes, start, end, isLast)) return true;
    this.#fail('response-too-large', 'larger than the bound');
    this.#release();
    return false;
  }

  complete(): void {
    this.#release();
    if (this.outcome !== null) return;
    if (this.#hasBadStatus) this.#fail('http-error', `status ${this.#status}`);
    else if (this.#status === 204 || this.#body.isEmpty) this.#settle(NO_BID);
    else this.#settle(this.#body.parse());
  }

  failed(message: string, problem: ConnectionProblem | null = null): void {
    this.#release();
    if (problem !== null) this.bidder.notConnected(problem);
    this.#fail(problem === null ? 'unreachable' : 'tls-failed', message);
  }

  dropped(): void {
    this.#release();
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
    this.#ended(this);
  }

  #release(): void {
    if (this.#released) return;
    this.#released = true;
    this.bidder.released();
  }
}
