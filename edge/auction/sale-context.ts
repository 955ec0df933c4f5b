import type { PublisherProjection } from '../../actors/publisher/fields.ts';
import type { Win } from '../../exchange/auction/auction.ts';
import type { RenderContext, RenderResult } from '../../exchange/creative/render/render-context.ts';
import type { Bid } from '../../exchange/openrtb/bid-response.ts';
import type { Creative } from '../../exchange/strategy/document/creative.ts';
import type { AuctionContext } from '../auction-context.ts';
import type { EdgeBudgets } from '../budgets/edge-budgets.ts';
import type { UnrenderedShares } from '../budgets/shares/unrendered-shares.ts';
import type { SoldCreative } from '../delegates/sold-creative.ts';
import type { TrackingMint } from '../tracking/mint.ts';
import type { RequestOrigin } from '../tracking/request-origin.ts';

/** Makes the markup of a delegate's creative. */
export type RenderWinner = (creative: Creative, terms: Omit<RenderContext, 'edgeUrl'>) => RenderResult;

/** What a sale depends on of the auction's context. */
export interface SoldRequest extends Pick<AuctionContext, 'request' | 'pool' | 'sandbox' | 'player'> {
  /** Who asked; absent where nobody is to be told of a win. */
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
  /** IAB Content Taxonomy 1.0, of the exchange itself; they join the publisher's. */
  readonly blockedCategories: readonly string[];
  /** Wall clock, ms since the epoch. */
  readonly nowMs: number;
  readonly random: () => number;
  readonly mint: TrackingMint;
  /** What the bids of delegates show: those bids and no others are in here. */
  readonly creatives: ReadonlyMap<Bid, SoldCreative>;
  readonly render: RenderWinner;
  /** What tracking URLs say of the request; nothing where this is absent. */
  readonly originOf?: () => RequestOrigin;
  /** What pays for what is sold; absent where nothing is. */
  readonly budgets?: Pick<EdgeBudgets, 'reserve' | 'release'>;
  /** What of others' budgets the publisher may hold unrendered; absent where it may hold any. */
  readonly shares?: UnrenderedShares | undefined;
  /** Told of a winner that could not be prepared for a reason that nobody foresaw; it loses as `creative-rejected`. */
  readonly failed?: (error: unknown, win: Win) => void;
}
