import type { PoolProjection } from '../actors/pool/fields.ts';
import type { PublisherProjection } from '../actors/publisher/fields.ts';
import type { PrivacyDecision } from '../exchange/consent/consent-evaluator.ts';
import type { RequestCurrencies } from '../exchange/currency/request-currencies.ts';
import type { BidRequest } from '../exchange/openrtb/bid-request.ts';
import type { VastPlayer } from '../exchange/vast/player.ts';
import type { Span } from '../runtime/ports/tracer.ts';
import type { Viewer } from './viewer/viewer.ts';
import type { Browser } from './viewer/viewers.ts';

/** The holder of a caller's key: an account (the key is good for all its publishers) or one publisher. */
export type KeyHolder =
  | { readonly kind: 'account'; readonly accountId: string; readonly environment: 'live' | 'sandbox' }
  | { readonly kind: 'publisher'; readonly publisherId: string };

/** An ad request as an endpoint has read it, before any check. */
export interface AdRequest {
  readonly request: BidRequest;
  /** How the request's amounts were read; null or absent: as US dollars, without rates. */
  readonly currencies?: RequestCurrencies | null;
  /** Null without a key. */
  readonly key: KeyHolder | null;
  /** The caller's W3C trace context. */
  readonly traceparent?: string | undefined;
  /** The trace of a sampled request; null or absent: it is not traced. */
  readonly trace?: Span | null;
  /** `X-Sandbox` or `?sandbox=true`. */
  readonly sandboxAsked: boolean;
  readonly browser: Browser;
  /** Address of the caller, as the socket or the outermost of the exchange's own proxies saw it. */
  readonly address: string;
  readonly isTag: boolean;
  /** A page made the bid request, as its `Origin` says: its browser is the viewer's device. */
  readonly isPage: boolean;
  /** What a tag's player supports; absent where the caller reads the answer itself. */
  readonly player?: VastPlayer;
  /** Monotonic ms at which the first byte was read. */
  readonly receivedMs: number;
}

/** The caller of an ad request. It is not the device that the request is for, unless a tag made the request. */
export interface AdRequester {
  /** As the socket or the outermost of the exchange's own proxies saw it; '' when unknown. */
  readonly address: string;
  readonly isKeyed: boolean;
  readonly isTag: boolean;
  /** A page made the bid request, as its `Origin` says: its browser is the viewer's device. */
  readonly isPage?: boolean;
}

/** An ad request that may be auctioned: its caller, its inventory and its environment. */
export interface AuctionContext {
  /** Floors are in US dollars. */
  readonly request: BidRequest;
  /** How amounts are converted; null or absent: all are in US dollars. */
  readonly currencies?: RequestCurrencies | null;
  readonly publisher: PublisherProjection;
  /** Null for a publisher without a pool: it gets no bids. */
  readonly pool: PoolProjection | null;
  readonly sandbox: boolean;
  /** Whether the (app-)ads.txt of the inventory that the request names lists the exchange with this publisher. */
  readonly verified: boolean;
  readonly viewer: Viewer;
  /** The trace of a sampled request; null or absent: it is not traced. */
  readonly trace?: Span | null;
  /** How much of the viewer bidders may know. */
  readonly privacy: PrivacyDecision;
  readonly askedBy: AdRequester;
  /**
   * What a tag's player supports, which binds winners. Absent where the caller reads the answer itself: there the imp's
   * `protocols` are advice to bidders.
   */
  readonly player?: VastPlayer | undefined;
  /** Monotonic ms at which the first byte was read. */
  readonly receivedMs: number;
}
