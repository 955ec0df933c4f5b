import type { AdFormat } from '../../exchange/auction/ad-format.ts';
import type { LossReason, NoBidReason } from '../../exchange/auction/loss-reason.ts';
import type { MismatchReason } from '../../exchange/creative/render/explain-mismatch.ts';
import type { BlockReason } from '../../exchange/fraud/block-reason.ts';
import type { BidRequest } from '../../exchange/openrtb/bid-request.ts';

/**
 * The outcome of an ad request:
 * - `filled`: something was sold; `unfilled`: it was auctioned and nothing was sold (204).
 * - `blocked`: refused (403); `invalid`: no bid request (400).
 * - `expired`: auctioned, and answered 503 because it had taken too long.
 */
export const REQUEST_OUTCOMES = ['filled', 'unfilled', 'blocked', 'invalid', 'expired'] as const;
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];

/**
 * The outcome of a demand source's participation in an auction. `answered`: it was called and has no bid that
 * counts, whether its answer came in time or not; see the reason.
 */
export const PARTICIPATION_OUTCOMES = ['won', 'lost', 'answered', 'not-called'] as const;
export type ParticipationOutcome = (typeof PARTICIPATION_OUTCOMES)[number];

/** The reasons why nothing was sold other than those of demand: there was no demand to call. */
export type UnfilledReason = 'no-pool' | 'no-demand';

/** The origin of an imp's floor: the highest of these. `none`: the floor is 0. */
export type FloorSource = 'request' | 'publisher' | 'pool' | 'none';

/** An amount as it was stated, in another currency than US dollars, and the rate that it was converted with. */
export interface StatedAmount {
  /** CPM in the currency. */
  readonly cpm: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly dollarsPerUnit: number;
}

/** An imp of the request. Prices are whole micro-dollars CPM. */
export interface RecordedImp {
  readonly id: string;
  readonly formats: readonly AdFormat[];
  /** Sizes as `300x250`; for a banner the first few, for video its own. */
  readonly sizes: readonly string[];
  readonly floorCpmMicros: number;
  readonly floorFrom: FloorSource;
  readonly requestFloorCpmMicros: number;
  /** The request's floor as it was stated; absent: in US dollars. */
  readonly statedFloor?: StatedAmount;
  readonly deals: number;
  /** True in the dynamic portion of a pod, which several ads may share. */
  readonly inPod: boolean;
}

export interface RecordedBid {
  readonly impId: string;
  /** The `id` of the bid; null where it could not be read. */
  readonly bidId: string | null;
  /** The price that was bid, in US dollars; null where the bid names no readable price, or one without a rate. */
  readonly priceCpmMicros: number | null;
  /** The price as it was bid; absent: in US dollars. */
  readonly statedPrice?: StatedAmount;
  /** The floor of the bid; null where it names no imp. */
  readonly floorCpmMicros: number | null;
  /** The loss reason; null when the bid won. */
  readonly reason: LossReason | null;
  /**
   * The cause where the reason alone does not name it: the first insecure URL of a creative, or why its markup could
   * not be sold. Absent otherwise.
   */
  readonly detail?: string;
  /** The price that the imp was sold for, as a loss notice reports it; null when no bid won. */
  readonly winningCpmMicros: number | null;
  /** The price that would have won, as notices report it; null where price did not decide. */
  readonly minToWinCpmMicros: number | null;
  readonly crid: string | null;
  readonly adomain: readonly string[];
  readonly dealId: string | null;
  readonly seat: string | null;
  /** For a delegate: the id of the campaign's actor, its `campaign_id`, and the rule that matched. */
  readonly campaignActorId: string | null;
  readonly campaignId: string | null;
  readonly ruleId: string | null;
}

/** A delegate's campaign that matched and did not bid. */
export interface RecordedNonBiddingCampaign {
  readonly impId: string;
  readonly campaignActorId: string;
  readonly campaignId: string;
  readonly reason: NoBidReason;
  /**
   * For `creative-unavailable`: the first creatives, each with the reason why the imp cannot show it. Absent in records
   * from before this field.
   */
  readonly creatives?: readonly RecordedCreativeMismatch[];
}

/** A creative that an imp cannot show. */
export interface RecordedCreativeMismatch {
  readonly creativeId: string;
  readonly reason: MismatchReason;
  /** The fault and its remedy, in sentences. */
  readonly words: string;
}

/** The participation of one demand source in an auction. */
export interface RecordedParticipation {
  readonly dspId: string;
  readonly accountId: string;
  readonly mode: 'rtb' | 'delegate';
  /** The sandbox generation of the demand source; 0 in live auctions. */
  readonly generation: number;
  readonly called: boolean;
  readonly outcome: ParticipationOutcome;
  /** The reason why it has no bid; null where it has one. */
  readonly reason: NoBidReason | null;
  readonly latencyMs: number;
  readonly bids: readonly RecordedBid[];
  readonly keptBack: readonly RecordedNonBiddingCampaign[];
}

export interface RecordedSale {
  readonly impId: string;
  readonly dspId: string;
  readonly trackingId: string;
  /** The time of the sale by the edge's clock; absent in records from before this field. */
  readonly soldAtMs?: number;
  readonly clearingCpmMicros: number;
  readonly format: AdFormat;
}

/**
 * The rules of the exchange for the bids of an auction, beyond the request; together with the request they give the
 * request as bidders received it.
 */
export interface RecordedAuctionPolicy {
  readonly publisherFloorCpmMicros: number;
  readonly poolFloorCpmMicros: number;
  readonly blockedCategories: readonly string[];
  readonly blockedDomains: readonly string[];
  readonly publisherGenre: string | null;
}

/** The input of a replay of an auction. */
export interface ReplayInput {
  /**
   * The request as it came, without anything that names or locates a person
   * (exchange/consent/without-personal-data.ts).
   */
  readonly request: BidRequest;
  readonly terms: RecordedAuctionPolicy;
}

/**
 * One auction, or an ad request that never became one, as an edge saw it. A record holds nothing that names a person.
 */
export interface AuctionRecord {
  /** The version of this shape. */
  readonly version: 1;
  readonly atMs: number;
  /** The `id` of the bid request, truncated where it is long; '' where it has none. */
  readonly auctionId: string;
  readonly region: string;
  /** The name of one run of one edge process. */
  readonly edge: string;
  readonly sandbox: boolean;
  /** True for a live auction in test mode (OpenRTB 2.6 §3.2.1), of which nothing is billed; absent for any other. */
  readonly test?: boolean;
  /** Null for an unknown publisher. */
  readonly publisher: { readonly id: string; readonly accountId: string; readonly generation: number } | null;
  readonly poolId: string | null;
  readonly outcome: RequestOutcome;
  /** The reason why it was blocked, invalid or not filled; null when it was filled. */
  readonly reason: BlockReason | UnfilledReason | LossReason | NoBidReason | 'invalid-request' | null;
  /** The text that the caller of a refused request received. */
  readonly detail: string | null;
  readonly tookMs: number;
  /**
   * The number of auctions of this publisher with this outcome that the record stands for: those since the last record,
   * and itself; in test mode, those in test mode.
   */
  readonly represents: number;
  readonly imps: readonly RecordedImp[];
  readonly asked: {
    readonly channel: 'site' | 'app' | 'dooh' | null;
    /** A domain or a bundle. */
    readonly inventory: string | null;
    readonly deviceType: number | null;
    readonly country: string | null;
    readonly region: string | null;
    readonly genre: string | null;
  };
  /** The reasons why something was withheld from bidders. */
  readonly privacy: readonly string[];
  /** The date of the rates that amounts were converted with, and the currency of the answer; absent: no rates. */
  readonly currencies?: { readonly ratesAsOf: string; readonly answer: string };
  readonly parts: readonly RecordedParticipation[];
  /** The number of demand sources beyond those in `parts`: first of all delegates without any matching campaign. */
  readonly partsLeftOut: number;
  readonly sold: readonly RecordedSale[];
  /** The input of a replay; null where it is too large to be kept. */
  readonly replayable: ReplayInput | null;
}
