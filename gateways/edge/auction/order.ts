import type { PoolView } from '../../../actors/pool/view.ts';
import type { PublisherView } from '../../../actors/publisher/view.ts';
import type { BidRequest } from '../../../exchange/openrtb/bid-request.ts';
import type { Viewer } from '../viewer/viewer.ts';

/** An ad request that may be auctioned: who asks, for what, in which environment. */
export interface AuctionOrder {
  readonly request: BidRequest;
  readonly publisher: PublisherView;
  /** Null for a publisher without one: nobody bids on it. */
  readonly pool: PoolView | null;
  readonly sandbox: boolean;
  readonly viewer: Viewer;
  /** When its first byte was read, monotonic ms. */
  readonly receivedMs: number;
}
