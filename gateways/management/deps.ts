import type { ReadRenderStatuses } from '../../actors/auction-record/render-status.ts';
import type { ViewabilityIngest } from '../../edge/viewability/view-intake.ts';
import type { Logger } from '../../runtime/actor/logger.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { Replica } from '../../runtime/actor/replica.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { Random } from '../../runtime/ports/random.ts';
import type { RateCounters } from '../../runtime/ports/rate-counters.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import type { CreativeIngest } from '../creatives/creative-ingest.ts';
import type { DeadLetterQueue } from '../dead-letter-queue.ts';
import type { LiveFigures } from '../live/live-figures.ts';
import type { Verifier } from '../verification/verifier.ts';
import type { FreezeStatement } from './resources/source-reports/closed-statement.ts';
import type { ManagementSettings } from './settings.ts';

/** What the management gateway stands on. Changes go through `messenger`; lists and reads come from `store`. */
export interface ManagementDeps {
  readonly messenger: Messenger;
  readonly store: StateStore;
  readonly rates: RateCounters;
  /** The message log, as far as its health is of interest. */
  readonly log: { readonly embedded: boolean; healthy(): Promise<boolean> };
  /** Of `account`, `api-key` and `publisher` at least. */
  readonly replica: Replica;
  /** What was sold in the last minute, as the edges tell. */
  readonly live: LiveFigures;
  /** The first day, its midnight UTC in ms since the epoch, of which accounts have books of their own (see account-books.ts). */
  readonly accountLedgersFromMs: number;
  /** Fetches what creatives are made of before a document that names it is saved. */
  readonly creatives: Pick<CreativeIngest, 'take'>;
  /** Closes a source's month that is over. */
  readonly freezeStatement: FreezeStatement;
  /** Looks at the ads.txt or app-ads.txt of a source. */
  readonly verifier: Pick<Verifier, 'verifyNow'>;
  /** Counts what tags and players tell of impressions. */
  readonly views: Pick<ViewabilityIngest, 'take'>;
  /** Whether what was sold was shown. */
  readonly renderings: ReadRenderStatuses;
  readonly settings: ManagementSettings;
  /** Messages that no actor could handle. */
  readonly deadLetters: DeadLetterQueue;
  /** Master secret, from which the keys for what is kept sealed are derived. */
  readonly secretKey: string;
  /** Master secrets of before, which open what they sealed. */
  readonly previousSecretKeys?: readonly string[];
  readonly logger: Logger;
  readonly random: Random;
  readonly clock: Clock;
}
