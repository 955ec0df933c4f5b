import type { ReadRenderStatuses } from '../../actors/auction-record/render-status.ts';
import type { CurrentRates } from '../../edge/currency/current-rates.ts';
import type { ViewabilityIngest } from '../../edge/viewability/viewability-ingest.ts';
import type { Logger } from '../../runtime/actor/logger.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { Replica } from '../../runtime/actor/replica.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { Random } from '../../runtime/ports/random.ts';
import type { RateCounters } from '../../runtime/ports/rate-counters.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import type { CreativeIngest } from '../creatives/creative-ingest.ts';
import type { CreativeStorage } from '../creatives/storage/creative-storage.ts';
import type { DeadLetterQueue } from '../dead-letter-queue.ts';
import type { LiveFigures } from '../live/live-figures.ts';
import type { LogLevelReader } from '../log-level-data/log-level-reader.ts';
import type { Verifier } from '../verification/verifier.ts';
import type { FreezeStatement } from './resources/source-reports/closed-statement.ts';
import type { ManagementSettings } from './settings.ts';
import type { AnswerObserver } from './shell/observe-answers.ts';

/**
 * The collaborators of the management gateway. Handlers change state through `messenger`; lists and reads come from
 * `store`.
 */
export interface ManagementDeps {
  readonly messenger: Messenger;
  readonly store: StateStore;
  readonly rates: RateCounters;
  /** The message log, reduced to what the health endpoint reports. */
  readonly log: { readonly embedded: boolean; healthy(): Promise<boolean> };
  /** The replica holds the projections of `account`, `api-key` and `publisher` at least. */
  readonly replica: Replica;
  /** The rates that auctions are held with. */
  readonly currencyRates: Pick<CurrentRates, 'current'>;
  /** The figures of the last minute, as the edges report them. */
  readonly live: LiveFigures;
  /**
   * The first day, as its midnight UTC in ms since the epoch, of which accounts have ledgers of their own (see
   * `metrics/scope-ledgers.ts`).
   */
  readonly accountLedgersFromMs: number;
  /** Fetches the files that creatives name, before a document with these creatives is saved. */
  readonly creatives: Pick<CreativeIngest, 'take'>;
  /** Reads the files of creatives: hosted markup, for previews. */
  readonly creativeFiles: Pick<CreativeStorage, 'open'>;
  /** Freezes the statement of a source's month that is over. */
  readonly freezeStatement: FreezeStatement;
  /** Checks the ads.txt or app-ads.txt of a source. */
  readonly verifier: Pick<Verifier, 'verifyNow'>;
  /** Counts the viewability measurements that tags and players report. */
  readonly views: Pick<ViewabilityIngest, 'take'>;
  /** Reads whether the impressions of sales were rendered. */
  readonly renderings: ReadRenderStatuses;
  readonly settings: ManagementSettings;
  /** Reads log-level data for publishers and demand sources; null where none is written. */
  readonly logLevelData: LogLevelReader | null;
  /** The messages that no actor could handle. */
  readonly deadLetters: DeadLetterQueue;
  /** The master secret, from which the keys of sealed secrets are derived. */
  readonly secretKey: string;
  /** Earlier master secrets, which still open what was sealed under them. */
  readonly previousSecretKeys?: readonly string[];
  readonly answered?: AnswerObserver;
  readonly logger: Logger;
  readonly random: Random;
  readonly clock: Clock;
}
