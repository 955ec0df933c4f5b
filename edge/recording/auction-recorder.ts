import { auctionRecord } from '../../actors/auction-record/auction-record.ts';
import type { AuctionRecord } from '../../actors/auction-record/record.ts';
import { newRecordId } from '../../actors/auction-record/record-id.ts';
import { auctionRecordIndex } from '../../actors/auction-record/record-index.ts';
import { mapLimit } from '../../async/map-limit.ts';
import { Ticker } from '../../async/ticker.ts';
import { Overloaded } from '../../runtime/actor/errors.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { Random } from '../../runtime/ports/random.ts';
import type { AuctionObserver } from '../auction/auction-deps.ts';
import type { HeldAuction } from '../auction/held-auction.ts';
import { isInTestMode } from '../auction/test-mode.ts';
import type { AuctionContext } from '../auction-context.ts';
import type { Refusal } from '../screening/refuse-request.ts';
import { describeAuction, type RecordingContext } from './describe-auction.ts';
import { describeRefusal } from './describe-refusal.ts';
import { Sampler } from './sampler.ts';

const FLUSH_EVERY_MS = 1_000;
/** Upper bound of records that wait for the log, of some kilobytes each; further ones are dropped. */
const MOST_WAITING = 500;
const TELLS_AT_ONCE = 16;
/** Sandbox auctions recorded in a second, at most; enough for tests and rehearsals. */
const SANDBOX_PER_SECOND = 20;
/** Stands for publishers that this edge does not know. */
const NOBODY = '';

export interface AuctionRecorderOptions {
  readonly messenger: Messenger;
  readonly clock: Clock;
  readonly random: Random;
  readonly region: string;
  /** Name of this run of this edge process. */
  readonly edge: string;
  /** Live auctions recorded in a second, at most; 0: none is, nor any of the sandbox. */
  readonly perSecond: number;
  readonly blockedCategories: readonly string[];
}

interface PendingRecord {
  readonly id: string;
  readonly record: AuctionRecord;
}

/**
 * An edge's recorder of auctions, for the question why an imp was not filled or a bid did not win (docs/explorer.md).
 * It records a fair sample of auctions after their answers and sends the records once a second. An auction never waits
 * for it.
 */
export class AuctionRecorder implements AuctionObserver {
  readonly #options: AuctionRecorderOptions;
  /** Null: nothing is recorded. */
  readonly #samplers: { readonly live: Sampler; readonly sandbox: Sampler } | null;
  #waiting: PendingRecord[] = [];
  readonly #telling: Ticker;
  #recorded = 0;
  #dropped = 0;

  constructor(options: AuctionRecorderOptions) {
    this.#options = options;
    this.#telling = new Ticker(options.clock, FLUSH_EVERY_MS, () => this.#tellAll());
    const nowMs = options.clock.monotonic();
    this.#samplers =
      options.perSecond > 0
        ? { live: new Sampler(options.perSecond, nowMs), sandbox: new Sampler(SANDBOX_PER_SECOND, nowMs) }
        : null;
  }

  /** Number of records sent. */
  get recorded(): number {
    return this.#recorded;
  }

  /** Number of records lost because the log was slow or away. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Records an auction that was held, after its answer. `expired`: the caller got no answer. */
  recordAuction(context: AuctionContext, held: HeldAuction, tookMs: number, expired: boolean): void {
    if (this.#samplers === null) return;
    const outcome = expired ? 'expired' : held.result.sold.length > 0 ? 'filled' : 'unfilled';
    const stratum = isInTestMode(context) ? `test ${outcome}` : outcome;
    const represents = this.#offer(context.publisher.id, stratum, context.sandbox);
    if (represents === 0) return;
    this.#keep(describeAuction(context, held, { tookMs, expired }, this.#recording(represents)));
  }

  /** Records a request that was refused. */
  recordRefusal(refusal: Refusal): void {
    if (this.#samplers === null) return;
    const { publisher, outcome, sandbox } = refusal;
    const represents = this.#offer(publisher?.id ?? NOBODY, outcome, sandbox);
    if (represents === 0) return;
    this.#keep(describeRefusal(refusal, this.#recording(represents)));
  }

  start(): void {
    this.#telling.start();
  }

  /** Sends the waiting records; never rejects. */
  flush(): Promise<void> {
    return this.#telling.now();
  }

  /** Stops the timer and sends the last records. */
  async close(): Promise<void> {
    await this.#telling.stop();
    await this.flush();
  }

  #offer(publisherId: string, stratum: string, sandbox: boolean): number {
    const sampler = sandbox ? this.#samplers!.sandbox : this.#samplers!.live;
    return sampler.offer(publisherId, stratum, this.#options.clock.monotonic());
  }

  #recording(represents: number): RecordingContext {
    const { clock, region, edge, blockedCategories } = this.#options;
    return { atMs: clock.now(), region, edge, represents, blockedCategories };
  }

  #keep(record: AuctionRecord): void {
    if (this.#waiting.length >= MOST_WAITING) {
      this.#dropped += 1;
      return;
    }
    const entropy = Buffer.from(this.#options.random.id(), 'base64url');
    this.#waiting.push({ id: newRecordId(record.atMs, entropy), record });
  }

  async #tellAll(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    await mapLimit(waiting, TELLS_AT_ONCE, (one) => this.#tell(one));
  }

  async #tell(one: PendingRecord): Promise<void> {
    const { id, record } = one;
    try {
      const { reasons, marks, ...found } = auctionRecordIndex(record);
      const body = { ...found, reasons: [...reasons], marks: [...marks], record: JSON.stringify(record) };
      await this.#options.messenger.tell(auctionRecord, id, 'record', body);
      this.#recorded += 1;
    } catch (error) {
      // Only records that were certainly not sent are sent again, while there is room.
      if (error instanceof Overloaded && this.#waiting.length < MOST_WAITING) this.#waiting.push(one);
      else this.#dropped += 1;
    }
  }
}
