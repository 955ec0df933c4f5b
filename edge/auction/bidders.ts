import type { DspProjection } from '../../actors/dsp/fields.ts';
import type { NoBidReason } from '../../exchange/auction/loss-reason.ts';

/** How one bidder's part in one auction ended: with a JSON document, or without a bid and why. */
export type CallOutcome = { readonly document: unknown } | { readonly reason: NoBidReason; readonly detail: string };

/** The auction's request as bidders get it, written once for each dialect and time limit. */
export interface OutgoingRequest {
  /** `tmaxMs`: what the bidder is told it has. `dspId`: whose id of the viewer it holds, where there is one. */
  body(version: '2.5' | '2.6', tmaxMs: number, dspId: string): Buffer;
}

/** One bidder's part in the auction. */
export interface BidderReply {
  readonly dsp: DspProjection;
  /** False when the breaker, a limit or a lack of time kept the request from being sent. */
  readonly called: boolean;
  readonly outcome: CallOutcome;
  /** From the first byte sent to the end of the answer; 0 when nothing was sent. ms. */
  readonly latencyMs: number;
}

/** An RTB demand source that may be called. */
export interface AuctionBidder {
  readonly dsp: DspProjection;
  /** It has bid in an auction; `atMs` is ms since the epoch. */
  recordBid(atMs: number): void;
}

/** The RTB demand sources that an auction may ask; whoever calls them implements it. */
export interface AuctionBidders {
  /** The candidates for one pool's traffic: sandbox demand for sandbox requests, active demand for live ones. */
  inPool(poolId: string, sandbox: boolean): readonly AuctionBidder[];
  /** Undefined for a demand source that is not called any more. */
  get(dspId: string): AuctionBidder | undefined;
  /** Asks them all at once and resolves when all have answered, failed or run out of time; `bidders` are those of {@link inPool}. */
  ask(bidders: readonly AuctionBidder[], request: OutgoingRequest, timeoutMs: number): Promise<readonly BidderReply[]>;
}

/** Fetches a winner's markup from its win notice (OpenRTB 2.6 §4.2.3, `nurl`). */
export interface MarkupSource {
  /** Null when there is none within `timeoutMs`. Never rejects. */
  fetch(url: string, timeoutMs: number): Promise<string | null>;
}

/** Tells demand sources what became of their bids. */
export interface AuctionNotices {
  /** Queues a notice whose macros are replaced, and returns at once; never throws. */
  send(kind: 'loss', url: string, dspId: string, method: 'GET' | 'POST'): void;
}
