import type { BidRequest } from '../openrtb/bid-request.ts';
import type { MalformedBid, OfferedBid } from '../openrtb/parse-bid-response.ts';
import type { AdFormat } from './ad-format.ts';
import type { LossReason } from './loss-reason.ts';

/** What one demand source offers; a `BidResponseReading` with outcome `bids` fits as it is. */
export interface DspOffer {
  readonly dspId: string;
  readonly currency: string;
  readonly bids: readonly OfferedBid[];
  readonly malformed?: readonly MalformedBid[];
}

/** What the publisher and its pool ask for beyond the request. */
export interface SellerTerms {
  /** Whole micro-dollars CPM. */
  readonly publisherFloorCpmMicros: number;
  readonly poolFloorCpmMicros: number;
  /** Join `bcat` (IAB Content Taxonomy 1.0) and `badv`. */
  readonly blockedCategories: readonly string[];
  readonly blockedDomains: readonly string[];
}

export interface AuctionInput {
  readonly request: BidRequest;
  readonly terms: SellerTerms;
  readonly offers: readonly DspOffer[];
  /** Uniform in [0, 1); asked only to break ties. */
  readonly random: () => number;
}

export interface Win extends OfferedBid {
  readonly dspId: string;
  readonly impId: string;
  readonly format: AdFormat;
  readonly dealId: string | null;
  /** First price: the bid itself, rounded once to whole micro-dollars CPM. */
  readonly clearingCpmMicros: number;
  /** The floor that the bid had to reach. */
  readonly floorCpmMicros: number;
  /** `${AUCTION_MIN_TO_WIN}`: what would have tied with the next-closest bid, or the floor without one. */
  readonly minToWinCpmMicros: number;
}

export interface Loss {
  readonly dspId: string;
  /** Null when the bid could not be read as one: see `malformed`. */
  readonly offered: OfferedBid | null;
  readonly malformed: MalformedBid | null;
  readonly reason: LossReason;
  /** Null where the bid names no price that can be read. */
  readonly priceCpmMicros: number | null;
  /** The floor that the bid had to reach; null where it names no imp of the request. */
  readonly floorCpmMicros: number | null;
  /** What the imp was sold for (`${AUCTION_PRICE}` of a lurl); null when nobody won. */
  readonly winningCpmMicros: number | null;
  /** `${AUCTION_MIN_TO_WIN}`; null where price did not decide the loss. */
  readonly minToWinCpmMicros: number | null;
}

export interface AuctionOutcome {
  /** At most one per imp, in the order of the request's imps. */
  readonly wins: readonly Win[];
  /** Every bid that did not win, each exactly once. */
  readonly losses: readonly Loss[];
}

/**
 * Holds a first-price auction (OpenRTB 2.6 §4.4.1, §7.3). Pure: the same input, random numbers included, gives the same
 * outcome. Never throws for anything a bidder can send.
 */
export type HoldAuction = (input: AuctionInput) => AuctionOutcome;
