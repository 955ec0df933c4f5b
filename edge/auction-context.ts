import type { PoolProjection } from '../actors/pool/fields.ts';
import type { PublisherProjection } from '../actors/publisher/fields.ts';
import type { PrivacyDecision } from '../exchange/consent/consent-evaluator.ts';
import type { BidRequest } from '../exchange/openrtb/bid-request.ts';
import type { VastPlayer } from '../exchange/vast/player.ts';
import type { Viewer } from './viewer/viewer.ts';
import type { Browser } from './viewer/viewers.ts';

/** Whose key a caller showed: an account's, good for all its publishers, or that of one publisher. */
export type KeyHolder =
  | { readonly kind: 'account'; readonly accountId: string; readonly environment: 'live' | 'sandbox' }
  | { readonly kind: 'publisher'; readonly publisherId: string };

/** An ad request as an endpoint has read it; nothing of it has been judged. */
export interface AdRequest {
  readonly request: BidRequest;
  /** Null without a key. */
  readonly key: KeyHolder | null;
  /** `X-Sandbox` or `?sandbox=true`. */
  readonly sandboxAsked: boolean;
  readonly browser: Browser;
  /** Whence the call comes, as the socket or the outermost of our own proxies saw it. */
  readonly address: string;
  readonly isTag: boolean;
  /** A page made a bid request, as its `Origin` says: its browser is the viewer's device. */
  readonly isPage: boolean;
  /** What the player of a tag takes; absent where a caller reads the answer itself. */
  readonly player?: VastPlayer;
  /** When its first byte was read, monotonic ms. */
  readonly receivedMs: number;
}

/** Who made an ad request: not the device that it is for, unless it is a tag's. */
export interface AdRequester {
  /** As the socket or the outermost of our own proxies saw it; '' when that is not known. */
  readonly address: string;
  readonly isKeyed: boolean;
  readonly isTag: boolean;
  /** A page made a bid request, as its `Origin` says: its browser is the viewer's device. */
  readonly isPage?: boolean;
}

/** An ad request that may be auctioned: who asks, for what, in which environment. */
export interface AuctionContext {
  readonly request: BidRequest;
  readonly publisher: PublisherProjection;
  /** Null for a publisher without one: nobody bids on it. */
  readonly pool: PoolProjection | null;
  readonly sandbox: boolean;
  /** Whether the (app-)ads.txt of the inventory that the request names lists the exchange with this publisher. */
  readonly verified: boolean;
  readonly viewer: Viewer;
  /** What bidders are told of the viewer. */
  readonly privacy: PrivacyDecision;
  readonly askedBy: AdRequester;
  /**
   * What the player of a tag takes, which winners are held to. Absent where a caller reads the answer itself: there the
   * imp's `protocols` are advice to bidders.
   */
  readonly player?: VastPlayer | undefined;
  /** When its first byte was read, monotonic ms. */
  readonly receivedMs: number;
}
