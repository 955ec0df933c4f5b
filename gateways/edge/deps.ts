import type { RequestListener } from 'node:http';
import type { Middleware } from 'koa';
import type { AuctionDeps } from '../../edge/auction/auction-deps.ts';
import type { ExpiringTexts } from '../../runtime/ports/expiring-texts.ts';
import type { Notices } from '../bidders/notices/notices.ts';
import type { CreativeStorage } from '../creatives/storage/creative-storage.ts';
import type { AdRequestObserver } from './http/ad-request-observer.ts';
import type { EdgeSettings } from './settings.ts';

/** The endpoints that callers report to: `GET /track/impression`, `GET /track/win` and `POST /track/view`. */
export interface TrackingEndpoints {
  readonly impression: Middleware;
  /** Serves the plain calls of `impression` and passes all others on. */
  readonly pixelOutsideKoa?: (others: RequestListener) => RequestListener;
  readonly win: Middleware;
  readonly view: Middleware;
}

/** The collaborators of an edge's server. */
export interface EdgeDeps extends AuctionDeps {
  readonly notices: Notices;
  readonly tracking: TrackingEndpoints;
  /** The texts of the cache of Prebid Server's clients. */
  readonly texts: ExpiringTexts;
  /** Storage of the files that `/creative/<sha256>` serves. */
  readonly creatives: Pick<CreativeStorage, 'open'>;
  readonly settings: EdgeSettings;
  readonly adRequests?: AdRequestObserver;
  /** Whether nothing that is sold here now would be billed; ad requests are answered 503 meanwhile. Default: never. */
  readonly isClosed?: () => boolean;
}
