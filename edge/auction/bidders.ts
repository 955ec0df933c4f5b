import type { DspProjection } from '../../actors/dsp/fields.ts';
import type { NoBidReason } from '../../exchange/auction/loss-reason.ts';
import type { Span } from '../../runtime/ports/tracer.ts';

/** The outcome of one call of a bidder: a JSON document, or the reason why there is no bid. */
export type CallOutcome = { readonly document: unknown } | { readonly reason: NoBidReason; readonly detail: string };

/** The auction's request as bidders get it, serialized once for each dialect and time limit. */
export interface OutgoingRequest {
  /**
   * `tmaxMs`: the time limit that the body states. `dspId`: the DSP whose own id of the viewer the body carries, if
   * there is one.
   */
  body(version: '2.5' | '2.6', tmaxMs: number, dspId: string): Buffer;
  /** The trace of a sampled request, which bidders may go on with; null or absent: it is not traced. */
  readonly trace?: Span | null;
}

/** One bidder's reply in one auction. */
export interface BidderReply {
  readonly dsp: DspProjection;
  /** False when the circuit breaker, a limit or a lack of time kept the request from being sent. */
  readonly called: boolean;
  readonly outcome: CallOutcome;
  /** ms from the first byte sent to the end of the answer; 0 when nothing was sent. */
  readonly latencyMs: number;
}

/** A bidder that may be called. */
export interface AuctionBidder {
  readonly dsp: DspProjection;
  /** Records that it has bid in an auction; `atMs` is ms since the epoch. */
  recordBid(atMs: number): void;
}

/** The bidders that an auction may ask. A port: the module that calls bidders implements it. */
export interface AuctionBidders {
  /** The candidates for one pool's traffic: sandbox DSPs for sandbox requests, active DSPs for live ones. */
  inPool(poolId: string, sandbox: boolean): readonly AuctionBidder[];
  /** Undefined for a DSP that is no longer called. */
  get(dspId: string): AuctionBidder | undefined;
  /**
   * Asks all `bidders`, which come from {@link inPool}, at once. Resolves when each has answered, failed or run out of
   * time.
   */
  ask(bidders: readonly AuctionBidder[], request: OutgoingRequest, timeoutMs: number): Promise<readonly BidderReply[]>;
}

/** Fetches a winner's markup from its win notice (OpenRTB 2.6 §4.2.3, `nurl`). */
export interface MarkupSource {
  /** Null when there is none within `timeoutMs`. Never rejects. */
  fetch(url: string, timeoutMs: number): Promise<string | null>;
}

/** Notifies DSPs of the outcome of their bids. */
export interface AuctionNotices {
  /** Queues a notice whose macros are replaced, and returns at once; never throws. */
  send(kind: 'loss', url: string, dspId: string, method: 'GET' | 'POST'): void;
}
