import type { AdRequest, AuctionContext } from '../auction-context.ts';
import type { HeldAuction } from './held-auction.ts';
import type { RequestUnderWay } from './repeated-requests.ts';

/** What ad requests of one endpoint do at the steps that its protocol has a say in. One object serves all of its requests. */
export interface AuctionEndpoint<Asked extends AdRequest, Answer> {
  /** Null where each request is an auction of its own. */
  readonly repeats: Repeats<Asked, Answer> | null;
  /** The request was not refused, unless it is a replay. */
  screened(asked: Asked): void;
  /** Writes what was sold in the endpoint's protocol. */
  answer(asked: Asked, context: AuctionContext, held: HeldAuction): Answer;
}

/** See `RepeatedRequests`. */
export interface Repeats<Asked extends AdRequest, Answer> {
  enter(context: AuctionContext, asked: Asked): RequestUnderWay<Answer> | Promise<Answer> | null;
  answered(underWay: RequestUnderWay<Answer>, answer: Answer): void;
  failed(underWay: RequestUnderWay<Answer>, error: unknown): void;
}
