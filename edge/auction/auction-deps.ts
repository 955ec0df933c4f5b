import type { Logger } from '../../runtime/actor/logger.ts';
import type { Replica } from '../../runtime/actor/replica.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { Random } from '../../runtime/ports/random.ts';
import type { IpAddress } from '../addresses/ip-address.ts';
import type { AuctionContext } from '../auction-context.ts';
import type { EdgeBudgets } from '../budgets/edge-budgets.ts';
import type { UnrenderedShares } from '../budgets/shares/unrendered-shares.ts';
import type { DelegateCatalogue } from '../catalogue/delegate-catalogue.ts';
import type { FrequencyCaps } from '../delegates/frequency-caps.ts';
import type { Facts } from '../facts/facts.ts';
import type { CampaignPace } from '../pace/campaign-pace.ts';
import type { RefusalRecorder } from '../screening/refuse-request.ts';
import type { Screening } from '../screening/screen-request.ts';
import type { AuctionSettings } from '../settings.ts';
import type { Viewers } from '../viewer/viewers.ts';
import type { AuctionBidders, AuctionNotices, MarkupSource } from './bidders.ts';
import type { HeldAuction } from './held-auction.ts';
import type { SoldImp } from './sold-imp.ts';

/** What delegates bid by. */
export interface DelegateDeps {
  readonly catalogue: DelegateCatalogue;
  readonly pace: CampaignPace;
  readonly caps: FrequencyCaps;
}

/** Writes auctions down for whoever asks about one. */
export interface AuctionObserver extends RefusalRecorder {
  /** An auction that was held; `expired`: nobody was answered. After the answer. */
  recordAuction(context: AuctionContext, held: HeldAuction, tookMs: number, expired: boolean): void;
}

/** What auctions stand on. Nothing of it is waited for in an auction: the replica is memory, facts and notices are queued. */
export interface AuctionDeps {
  /** Of publishers, pools, DSPs and API keys. */
  readonly replica: Replica;
  readonly facts: Facts;
  readonly recorder: AuctionObserver;
  /** Told of every imp that was sold. */
  readonly wins: { add(sold: readonly SoldImp[]): void };
  readonly notices: AuctionNotices;
  /** ISO 3166-1 alpha-3 of an address; absent where nobody compares countries. */
  readonly countryOf?: (address: IpAddress) => string | null;
  readonly screening: Screening;
  readonly bidders: AuctionBidders;
  readonly winnerMarkup: MarkupSource;
  readonly delegates: DelegateDeps;
  readonly budgets: EdgeBudgets;
  /** What publishers may hold of budgets unrendered; absent: any. */
  readonly shares?: UnrenderedShares;
  readonly viewers: Viewers;
  readonly settings: AuctionSettings;
  readonly logger: Logger;
  readonly random: Random;
  readonly clock: Clock;
}
