import type { AdRequest, AuctionContext } from '../auction-context.ts';
import type { HeldAuction } from './held-auction.ts';
import type { RequestUnderWay } from './repeated-requests.ts';

/** The steps of an auction that depend on an endpoint's protocol. One object serves all requests of its endpoint. */
export interface AuctionEndpoint<Asked extends AdRequest, Answer> {
  /** Null where each request is an auction of its own, even when it repeats another. */
  readonly repeats: Repeats<Asked, Answer> | null;
  /** Called when screening has accepted the request; a replay is found afterwards and may still be refused. */
  screened(adRequest: Asked): void;
  /** Writes the sold imps in the endpoint's protocol. */
  answer(adRequest: Asked, context: AuctionContext, held: HeldAuction): Answer;
}

/** Repeated requests of one endpoint; see `RepeatedRequests`. */
export interface Repeats<Asked extends AdRequest, Answer> {
  enter(context: AuctionContext, adRequest: Asked): RequestUnderWay<Answer> | Promise<Answer> | null;
  answered(underWay: RequestUnderWay<Answer>, answer: Answer): void;
  failed(underWay: RequestUnderWay<Answer>, error: unknown): void;
}
