import type { PublisherView } from '../../../actors/publisher/fields.ts';
import type { Win } from '../../../exchange/auction/auction.ts';
import type { Bid } from '../../../exchange/openrtb/bid-response.ts';
import type { EdgeBudgets } from '../budgets/edge-budgets.ts';
import type { UnrenderedShares } from '../budgets/shares/unrendered-shares.ts';
import type { SoldCreative } from '../delegates/sold-creative.ts';
import type { TrackingMint } from '../tracking/mint.ts';
import type { RequestOrigin } from '../tracking/request-origin.ts';
import type { AuctionOrder } from './order.ts';
import type { RenderWinner } from './winner-markup.ts';

/** Of an order, what a sale depends on. */
export interface SaleOrder extends Pick<AuctionOrder, 'request' | 'pool' | 'sandbox' | 'player'> {
  /** Who asked; absent where nobody is to be told of a win. */
  readonly askedBy?: Pick<AuctionOrder['askedBy'], 'isTag'>;
  readonly viewer: Pick<AuctionOrder['viewer'], 'deviceKey'>;
  readonly publisher: Pick<
    PublisherView,
    'id' | 'partnerId' | 'floorCpmMicros' | 'blockedCategories' | 'blockedDomains'
  >;
}

export interface SaleTerms {
  readonly order: SaleOrder;
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
  readonly budgets?: Pick<EdgeBudgets, 'take' | 'giveBack'>;
  /** What of others' budgets the publisher may hold unrendered; absent where it may hold any. */
  readonly shares?: UnrenderedShares | undefined;
  /** Told of a winner that could not be prepared for a reason that nobody foresaw; it loses as `creative-rejected`. */
  readonly failed?: (error: unknown, win: Win) => void;
}
