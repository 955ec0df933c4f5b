import type { Logger } from '../../runtime/actor/logger.ts';
import type { Replica } from '../../runtime/actor/replica.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { Random } from '../../runtime/ports/random.ts';
import type { Tracer } from '../../runtime/ports/tracer.ts';
import type { IpAddress } from '../addresses/ip-address.ts';
import type { AuctionContext } from '../auction-context.ts';
import type { EdgeBudgets } from '../budgets/edge-budgets.ts';
import type { UnrenderedShares } from '../budgets/shares/unrendered-shares.ts';
import type { DelegateCatalogue } from '../catalogue/delegate-catalogue.ts';
import type { AuctionCreatives } from '../creatives/auction-creatives.ts';
import type { CurrentRates } from '../currency/current-rates.ts';
import type { FrequencyCaps } from '../delegates/frequency-caps.ts';
import type { Facts } from '../facts/facts.ts';
import type { CampaignPace } from '../pace/campaign-pace.ts';
import type { RefusalRecorder } from '../screening/refuse-request.ts';
import type { Screening } from '../screening/screen-request.ts';
import type { AuctionSettings } from '../settings.ts';
import type { Viewers } from '../viewer/viewers.ts';
import type { WonAuction } from '../win-feed.ts';
import type { AuctionBidders, AuctionNotices, MarkupSource } from './bidders.ts';
import type { HeldAuction } from './held-auction.ts';
import type { SoldImp } from './sold-imp.ts';

/** The collaborators by which delegates bid. */
export interface DelegateDeps {
  readonly catalogue: DelegateCatalogue;
  readonly pace: CampaignPace;
  readonly caps: FrequencyCaps;
}

/** Writes auctions down for the explorer. */
export interface AuctionObserver extends RefusalRecorder {
  /** Records an auction that was held, after its answer. `expired`: the caller got no answer. */
  recordAuction(context: AuctionContext, held: HeldAuction, tookMs: number, expired: boolean): void;
}

/**
 * The collaborators of an auction. An auction waits for none of them: the replica is memory, and facts and notices are
 * queued.
 */
export interface AuctionDeps {
  /** Projections of publishers, pools, DSPs and API keys. */
  readonly replica: Replica;
  readonly facts: Facts;
  readonly recorder: AuctionObserver;
  /** Receives every imp that was sold. */
  readonly wins: { add(sold: readonly SoldImp[], auction: WonAuction): void };
  readonly notices: AuctionNotices;
  /** ISO 3166-1 alpha-3 country of an address; absent where countries are not compared. */
  readonly countryOf?: (address: IpAddress) => string | null;
  readonly screening: Screening;
  readonly bidders: AuctionBidders;
  readonly winnerMarkup: MarkupSource;
  readonly delegates: DelegateDeps;
  readonly auctionCreatives: Pick<AuctionCreatives, 'reviewFor' | 'hostedMarkup' | 'record'>;
  /** The rates of currencies; absent: nothing is converted. */
  readonly currencyRates?: Pick<CurrentRates, 'current'>;
  readonly budgets: EdgeBudgets;
  /** The share of budgets that publishers may hold unrendered; absent: no bound. */
  readonly shares?: UnrenderedShares;
  readonly viewers: Viewers;
  /** Null or absent: nothing is traced. */
  readonly tracer?: Tracer | null;
  /** Is told how long each auction took that was held, ms; quick, as it is called for each. */
  readonly auctionTook?: (tookMs: number, sandbox: boolean) => void;
  readonly settings: AuctionSettings;
  readonly logger: Logger;
  readonly random: Random;
  readonly clock: Clock;
}
