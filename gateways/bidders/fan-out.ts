import { writeOnceDecided } from '../../async/turn-end.ts';
import type { BidderReply, OutgoingRequest } from '../../edge/auction/bidders.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { Span } from '../../runtime/ports/tracer.ts';
import type { Bidder } from './bidder.ts';
import type { BidderCall } from './bidder-call.ts';

/**
 * Asks all bidders at once. Resolves when each has answered, failed or run out of time; never rejects.
 *
 * `timeoutMs` is that of the whole auction; a DSP's own limit can only shorten it. The rest of it is the `tmax` that a
 * bidder gets, and its socket is closed at that very instant. One timer serves the auction.
 */
export function askBidders(
  bidders: readonly Bidder[],
  request: OutgoingRequest,
  timeoutMs: number,
  clock: Clock,
): Promise<readonly BidderReply[]> {
  return new Promise((resolve) => {
    new FanOut(clock, resolve).start(bidders, request, timeoutMs);
  });
}

class FanOut {
  readonly #clock: Clock;
  readonly #resolve: (replies: readonly BidderReply[]) => void;
  readonly #calls: BidderCall[] = [];
  readonly #replies: BidderReply[] = [];
  readonly #ended = (): void => this.#callEnded();
  #pending = 0;
  #starting = true;
  #cancelTimer: (() => void) | null = null;

  constructor(clock: Clock, resolve: (replies: readonly BidderReply[]) => void) {
    this.#clock = clock;
    this.#resolve = resolve;
  }

  start(bidders: readonly Bidder[], request: OutgoingRequest, timeoutMs: number): void {
    const startedMs = this.#clock.monotonic();
    const trace = request.trace ?? null;
    for (const bidder of bidders) {
      const limitMs = Math.floor(Math.min(timeoutMs, bidder.dsp.timeoutMs));
      const ticket = bidder.admit(startedMs, limitMs);
      if (typeof ticket === 'string') {
        const outcome = { reason: ticket, detail: 'not called' };
        this.#replies.push({ dsp: bidder.dsp, called: false, outcome, latencyMs: 0 });
        continue;
      }
      this.#pending++;
      const body = request.body(bidder.dsp.openrtbVersion, limitMs, bidder.dsp.id);
      const deadlineMs = startedMs + limitMs;
      const call =
        trace === null
          ? bidder.call(ticket, body, startedMs, deadlineMs, this.#ended)
          : this.#traced(trace, bidder, ticket, body, startedMs, deadlineMs);
      this.#calls.push(call);
    }
    this.#starting = false;
    if (this.#pending === 0) this.#finish();
    else this.#armTimer();
  }

  /** A call as a span of its own, which the bidder's server can go on with. */
  #traced(
    trace: Span,
    bidder: Bidder,
    ticket: number,
    body: Buffer,
    startedMs: number,
    deadlineMs: number,
  ): BidderCall {
    const span = trace.child('bid request', 'client');
    span.set('exchange.dsp_id', bidder.dsp.id);
    const ended = ({ outcome, status }: BidderCall): void => {
      if (status !== 0) span.set('http.response.status_code', status);
      span.end(outcome !== null && 'reason' in outcome && outcome.reason !== 'no-bid' ? outcome.reason : undefined);
      this.#callEnded();
    };
    return bidder.call(ticket, body, startedMs, deadlineMs, ended, span.traceparent);
  }

  #callEnded(): void {
    this.#pending--;
    if (this.#pending === 0 && !this.#starting) this.#finish();
  }

  #armTimer(): void {
    let earliestMs = Number.POSITIVE_INFINITY;
    for (const call of this.#calls)
      if (call.outcome === null && call.deadlineMs < earliestMs) earliestMs = call.deadlineMs;
    // Timers run before sockets are read. When this process was delayed past the deadline, answers that arrived in time
    // still wait to be read: they are read before any bidder is given up.
    this.#cancelTimer = this.#clock.after(Math.max(0, earliestMs - this.#clock.monotonic()), () => {
      setImmediate(() => {
        this.#timeOut();
        writeOnceDecided();
      });
    });
  }

  #timeOut(): void {
    if (this.#pending === 0) return;
    // Timers have whole milliseconds, so one may fire a fraction before its time.
    const nowMs = this.#clock.monotonic() + 1;
    for (const call of this.#calls) if (call.outcome === null && call.deadlineMs <= nowMs) call.timeOut();
    if (this.#pending > 0) this.#armTimer();
  }

  #finish(): void {
    this.#cancelTimer?.();
    for (const { bidder, outcome, latencyMs } of this.#calls) {
      const called = !('reason' in outcome! && outcome.reason === 'insufficient-time');
      this.#replies.push({ dsp: bidder.dsp, called, outcome: outcome!, latencyMs });
    }
    this.#resolve(this.#replies);
  }
}
