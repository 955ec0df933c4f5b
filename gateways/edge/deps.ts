import type { RequestListener } from 'node:http';
import type { Middleware } from 'koa';
import type { IpAddress } from '../../edge/addresses/ip-address.ts';
import type { EdgeBudgets } from '../../edge/budgets/edge-budgets.ts';
import type { UnrenderedShares } from '../../edge/budgets/shares/unrendered-shares.ts';
import type { DelegateCatalogue } from '../../edge/catalogue/delegate-catalogue.ts';
import type { FrequencyCaps } from '../../edge/delegates/frequency-caps.ts';
import type { Facts } from '../../edge/facts/facts.ts';
import type { CampaignPace } from '../../edge/pace/campaign-pace.ts';
import type { AuctionRecorder } from '../../edge/recording/auction-recorder.ts';
import type { Screening } from '../../edge/screening/screen-request.ts';
import type { Viewers } from '../../edge/viewer/viewers.ts';
import type { WinFeed } from '../../edge/win-feed.ts';
import type { Logger } from '../../runtime/actor/logger.ts';
import type { Replica } from '../../runtime/actor/replica.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { Random } from '../../runtime/ports/random.ts';
import type { Notices } from '../bidders/notices/notices.ts';
import type { CreativeStorage } from '../creatives/storage/creative-storage.ts';
import type { EdgeSettings } from './settings.ts';

/** What callers report back: `GET /track/impression`, `GET /track/win` and `POST /track/view`. */
export interface TrackingEndpoints {
  readonly impression: Middleware;
  /** Serves the plain calls of `impression`, and hands on all others. */
  readonly pixelFirst?: (others: RequestListener) => RequestListener;
  readonly win: Middleware;
  readonly view: Middleware;
}

/** What delegates bid by. */
export interface DelegateParts {
  readonly catalogue: DelegateCatalogue;
  readonly pace: CampaignPace;
  readonly caps: FrequencyCaps;
}

/** What an edge stands on. Nothing of it is waited for in an auction: the replica is memory, facts and notices are queued. */
export interface EdgeParts {
  /** Of publishers, pools, DSPs and API keys. */
  readonly replica: Replica;
  readonly facts: Facts;
  /** What is written down of auctions, for whoever asks about one. */
  readonly explorer: Pick<AuctionRecorder, 'auctioned' | 'refused'>;
  /** Told of every imp that was sold. */
  readonly wins: Pick<WinFeed, 'add'>;
  readonly notices: Notices;
  /** ISO 3166-1 alpha-3 of an address; absent where nobody compares countries. */
  readonly countryOf?: (address: IpAddress) => string | null;
  readonly screening: Screening;
  readonly delegates: DelegateParts;
  readonly budgets: EdgeBudgets;
  /** What publishers may hold of budgets unrendered; absent: any. */
  readonly shares?: UnrenderedShares;
  readonly viewers: Viewers;
  readonly tracking: TrackingEndpoints;
  /** Of the files that `/creative/<sha256>` serves. */
  readonly creatives: Pick<CreativeStorage, 'open'>;
  readonly settings: EdgeSettings;
  readonly logger: Logger;
  readonly random: Random;
  readonly clock: Clock;
}
