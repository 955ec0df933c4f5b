import type { PublisherProjection } from '../../actors/publisher/fields.ts';
import type { Win } from '../../exchange/auction/auction.ts';
import type { RenderContext, RenderResult } from '../../exchange/creative/render/render-context.ts';
import type { Bid } from '../../exchange/openrtb/bid-response.ts';
import type { Imp } from '../../exchange/openrtb/fields/imp.ts';
import type { Creative } from '../../exchange/strategy/document/creative.ts';
import type { AuctionContext } from '../auction-context.ts';
import type { EdgeBudgets } from '../budgets/edge-budgets.ts';
import type { UnrenderedShares } from '../budgets/shares/unrendered-shares.ts';
import type { BidReview } from '../creatives/auction-creatives.ts';
import type { SoldCreative } from '../delegates/sold-creative.ts';
import type { BidderOffer } from '../demand-part.ts';
import type { TrackingMint } from '../tracking/mint.ts';
import type { RequestOrigin } from '../tracking/request-origin.ts';

/** Renders the markup of a delegate's creative. */
export type RenderWinner = (creative: Creative, terms: RenderContext) => RenderResult;

/** The part of the auction context that a sale depends on. */
export interface SoldRequest extends Pick<AuctionContext, 'request' | 'pool' | 'sandbox' | 'player' | 'trace'> {
  /** The requester; absent where no win notices are sent. */
  readonly askedBy?: Pick<AuctionContext['askedBy'], 'isTag'>;
  readonly viewer: Pick<AuctionContext['viewer'], 'deviceKey'>;
  readonly publisher: Pick<
    PublisherProjection,
    'id' | 'partnerId' | 'floorCpmMicros' | 'blockedCategories' | 'blockedDomains'
  >;
}

export interface SaleContext {
  readonly auction: SoldRequest;
  readonly region: string;
  /** IAB Content Taxonomy 1.0: the categories that the exchange itself blocks, added to the publisher's. */
  readonly blockedCategories: readonly string[];
  /** Wall clock, ms since the epoch. */
  readonly nowMs: number;
  readonly random: () => number;
  readonly mint: TrackingMint;
  /** The creatives of delegates' bids; it has an entry for each of those bids and for no other. */
  readonly creatives: ReadonlyMap<Bid, SoldCreative>;
  readonly render: RenderWinner;
  /** The prefix of the paths of hosted media in that markup: the public edge URL, without a slash at the end. */
  readonly edgeUrl: string;
  /** What people decided about creatives, for this publisher; absent where nothing is decided. */
  readonly review?: BidReview | undefined;
  /** The markup that is served in place of a bidder's own; absent: none. */
  readonly hosted?: (win: Win, offer: BidderOffer, imp: Imp) => string | null;
  /** The request origin for tracking URLs; absent: they carry none. */
  readonly originOf?: () => RequestOrigin;
  /** The budgets that pay for sales; absent where sales are free, as in test mode. */
  readonly budgets?: Pick<EdgeBudgets, 'reserve' | 'release'> | undefined;
  /** The shares of DSPs' budgets that the publisher may hold unrendered; absent: no bound. */
  readonly shares?: UnrenderedShares | undefined;
  /** Called with a winner whose preparation threw an unexpected error; the winner loses as `creative-rejected`. */
  readonly failed?: (error: unknown, win: Win) => void;
  /** Called once with the first unexpected error of the judgement of bids; see `AuctionInput.failed`. */
  readonly unjudged?: (error: unknown, dspId: string) => void;
}
