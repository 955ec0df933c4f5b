import type { AdFormat } from '../../exchange/auction/ad-format.ts';
import type { LossReason, NoBidReason } from '../../exchange/auction/loss-reason.ts';
import type { MismatchReason } from '../../exchange/creative/render/explain-mismatch.ts';
import type { BlockReason } from '../../exchange/fraud/block-reason.ts';
import type { BidRequest } from '../../exchange/openrtb/bid-request.ts';

/**
 * What became of an ad request:
 * - `filled`: something was sold; `unfilled`: it was auctioned and nothing was (204).
 * - `blocked`: turned away (403); `invalid`: no bid request (400).
 * - `expired`: held, and answered 503 because it had taken too long.
 */
export const REQUEST_OUTCOMES = ['filled', 'unfilled', 'blocked', 'invalid', 'expired'] as const;
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];

/** What became of a demand source's part in an auction. `answered`: it was asked and has no bid; see the reason. */
export const PARTICIPATION_OUTCOMES = ['won', 'lost', 'answered', 'not-called'] as const;
export type ParticipationOutcome = (typeof PARTICIPATION_OUTCOMES)[number];

/** Why nothing was sold, beside the reasons of demand: there was none to ask. */
export type UnfilledReason = 'no-pool' | 'no-demand';

/** Where the floor of an imp comes from: the highest of these. `none`: it is 0. */
export type FloorSource = 'request' | 'publisher' | 'pool' | 'none';

/** An imp as it was asked for. Prices are whole micro-dollars CPM. */
export interface RecordedImp {
  readonly id: string;
  readonly formats: readonly AdFormat[];
  /** `300x250`; of a banner the first few, of video its own. */
  readonly sizes: readonly string[];
  readonly floorCpmMicros: number;
  readonly floorFrom: FloorSource;
  readonly requestFloorCpmMicros: number;
  readonly deals: number;
  /** Of a pod's dynamic portion, several ads may share it. */
  readonly inPod: boolean;
}

export interface RecordedBid {
  readonly impId: string;
  /** `id` of the bid; null where it could not be read. */
  readonly bidId: string | null;
  /** As it was bid; null where it names no price in US dollars that can be read. */
  readonly priceCpmMicros: number | null;
  /** What it had to reach; null where it names no imp. */
  readonly floorCpmMicros: number | null;
  /** Null: it won. */
  readonly reason: LossReason | null;
  /** What is to blame, where the reason alone does not tell: of an insecure creative the first URL. Absent where it does. */
  readonly detail?: string;
  /** What the imp was sold for, as a loss notice tells it; null when nobody won. */
  readonly winningCpmMicros: number | null;
  /** What would have won, as notices tell it; null where price did not decide. */
  readonly minToWinCpmMicros: number | null;
  readonly crid: string | null;
  readonly adomain: readonly string[];
  readonly dealId: string | null;
  readonly seat: string | null;
  /** Of a delegate: the actor of the campaign, its `campaign_id`, and the rule that matched. */
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
  /** Of `creative-unavailable`: its first creatives, and why the imp cannot show each. Absent in records of before it was kept. */
  readonly creatives?: readonly RecordedCreativeMismatch[];
}

/** A creative that an imp cannot show. */
export interface RecordedCreativeMismatch {
  readonly creativeId: string;
  readonly reason: MismatchReason;
  /** What is wrong, and what would change it, in sentences. */
  readonly words: string;
}

/** What one demand source's part came to. */
export interface RecordedParticipation {
  readonly dspId: string;
  readonly accountId: string;
  readonly mode: 'rtb' | 'delegate';
  /** Of its sandbox figures; 0 in live auctions. */
  readonly generation: number;
  readonly called: boolean;
  readonly outcome: ParticipationOutcome;
  /** Why it has no bid; null where it has one. */
  readonly reason: NoBidReason | null;
  readonly latencyMs: number;
  readonly bids: readonly RecordedBid[];
  readonly keptBack: readonly RecordedNonBiddingCampaign[];
}

export interface RecordedSale {
  readonly impId: string;
  readonly dspId: string;
  readonly trackingId: string;
  /** By the edge's clock; absent in records of before it was kept. */
  readonly soldAtMs?: number;
  readonly clearingCpmMicros: number;
  readonly format: AdFormat;
}

/** What the exchange holds the bids of an auction to, beyond the request; with it the request as bidders got it can be made. */
export interface RecordedAuctionPolicy {
  readonly publisherFloorCpmMicros: number;
  readonly poolFloorCpmMicros: number;
  readonly blockedCategories: readonly string[];
  readonly blockedDomains: readonly string[];
  readonly publisherGenre: string | null;
}

/** What an auction can be held again by. */
export interface ReplayInput {
  /** As it came, without whatever names or places a person (exchange/consent/without-personal-data.ts). */
  readonly request: BidRequest;
  readonly terms: RecordedAuctionPolicy;
}

/** One auction, or an ad request that never became one, as an edge saw it. Holds nothing that names a person. */
export interface AuctionRecord {
  /** Of this shape. */
  readonly version: 1;
  readonly atMs: number;
  /** `id` of the bid request, cut short where it is long; '' where it has none. */
  readonly auctionId: string;
  readonly region: string;
  /** One run of one edge process. */
  readonly edge: string;
  readonly sandbox: boolean;
  /** Null for a publisher that is not known here. */
  readonly publisher: { readonly id: string; readonly accountId: string; readonly generation: number } | null;
  readonly poolId: string | null;
  readonly outcome: RequestOutcome;
  /** Why it was blocked, invalid or not filled; null when it was filled. */
  readonly reason: BlockReason | UnfilledReason | LossReason | NoBidReason | 'invalid-request' | null;
  /** What the caller was told of a request that was refused. */
  readonly detail: string | null;
  readonly tookMs: number;
  /** How many auctions of this publisher with this outcome it stands for: those since the last that was recorded, and itself. */
  readonly represents: number;
  readonly imps: readonly RecordedImp[];
  readonly asked: {
    readonly channel: 'site' | 'app' | 'dooh' | null;
    /** Domain or bundle. */
    readonly inventory: string | null;
    readonly deviceType: number | null;
    readonly country: string | null;
    readonly region: string | null;
    readonly genre: string | null;
  };
  /** Why something was withheld from bidders. */
  readonly privacy: readonly string[];
  readonly parts: readonly RecordedParticipation[];
  /** Demand sources beyond those in `parts`, which had nothing to say: delegates that nothing matched of, first of all. */
  readonly partsLeftOut: number;
  readonly sold: readonly RecordedSale[];
  /** Null where it is too large to be kept. */
  readonly replayable: ReplayInput | null;
}
