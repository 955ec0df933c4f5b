import type { DspView } from '../../actors/dsp/fields.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { Bidder } from './bidder.ts';
import type { BidderCall, CallOutcome } from './bidder-call.ts';

/** The auction's request as bidders get it, written once for each dialect and time limit. */
export interface OutgoingRequest {
  /** `tmaxMs`: what the bidder is told it has. `dspId`: whose id of the viewer it holds, where there is one. */
  body(version: '2.5' | '2.6', tmaxMs: number, dspId: string): Buffer;
}

/** One bidder's part in the auction. */
export interface BidderReply {
  readonly dsp: DspView;
  /** False when the breaker, a limit or a lack of time kept the request from being sent. */
  readonly called: boolean;
  readonly outcome: CallOutcome;
  /** From the first byte sent to the end of the answer; 0 when nothing was sent. ms. */
  readonly latencyMs: number;
}

/**
 * Asks every bidder at once and resolves when all have answered, failed or run out of time; never rejects.
 *
 * `timeoutMs` is the whole auction's; a demand source's own limit can only shorten it. What is left is what a bidder
 * is told as `tmax`, and at that very instant its socket is closed. One timer serves the auction.
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
      this.#calls.push(bidder.call(ticket, body, startedMs, startedMs + limitMs, this.#ended));
    }
    this.#starting = false;
    if (this.#pending === 0) this.#finish();
    else this.#armTimer();
  }

  #callEnded(): void {
    this.#pending--;
    if (this.#pending === 0 && !this.#starting) this.#finish();
  }

  #armTimer(): void {
    let earliestMs = Number.POSITIVE_INFINITY;
    for (const call of this.#calls)
      if (call.outcome === null && call.deadlineMs < earliestMs) earliestMs = call.deadlineMs;
    // Timers run before sockets are read. Where this process was held up past the deadline, answers that came in time
    // still wait to be read: they are, before anybody is given up.
    this.#cancelTimer = this.#clock.after(Math.max(0, earliestMs - this.#clock.monotonic()), () => {
      setImmediate(() => this.#timeOut());
    });
  }

  #timeOut(): void {
    if (this.#pending === 0) return;
    // Timers keep whole milliseconds, so one may fire a fraction before its instant.
    const nowMs = this.#clock.monotonic() + 1;
    for (const call of this.#calls) if (call.outcome === null && call.deadlineMs <= nowMs) call.timeOut();
    if (this.#pending > 0) this.#armTimer();
  }

  #finish(): void {
    this.#cancelTimer?.();
    for (const call of this.#calls)
      this.#replies.push({ dsp: call.bidder.dsp, called: true, outcome: call.outcome!, latencyMs: call.latencyMs });
    this.#resolve(this.#replies);
  }
}
