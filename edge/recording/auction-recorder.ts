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
import type { AuctionContext } from '../auction-context.ts';
import type { Refusal } from '../screening/refuse-request.ts';
import { describeAuction, type RecordingContext } from './describe-auction.ts';
import { describeRefusal } from './describe-refusal.ts';
import { Sampler } from './sampler.ts';

const FLUSH_EVERY_MS = 1_000;
/** Records that wait for the log; beyond it they are dropped. Some kilobytes each. */
const MOST_WAITING = 500;
const TELLS_AT_ONCE = 16;
/** Of the sandbox, whatever happens, up to what tests and rehearsals come to. */
const SANDBOX_PER_SECOND = 20;
/** Stands for publishers that are not known here. */
const NOBODY = '';

export interface AuctionRecorderOptions {
  readonly messenger: Messenger;
  readonly clock: Clock;
  readonly random: Random;
  readonly region: string;
  /** One run of one edge process. */
  readonly edge: string;
  /** Live auctions that are recorded in a second, at most; 0: none is, nor any of the sandbox. */
  readonly perSecond: number;
  readonly blockedCategories: readonly string[];
}

interface PendingRecord {
  readonly id: string;
  readonly record: AuctionRecord;
}

/**
 * The record of auctions that an edge keeps for whoever asks why one was not filled, or not won (docs/explorer.md): a fair sample
 * of them, written down after the answer has left, told once a second. An auction never waits for it.
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

  /** Records that have been told. */
  get recorded(): number {
    return this.#recorded;
  }

  /** Records that were lost, for the log was slow or away. */
  get dropped(): number {
    return this.#dropped;
  }

  /** An auction that was held; `expired`: nobody was answered. After the answer. */
  recordAuction(context: AuctionContext, held: HeldAuction, tookMs: number, expired: boolean): void {
    if (this.#samplers === null) return;
    const outcome = expired ? 'expired' : held.result.sold.length > 0 ? 'filled' : 'unfilled';
    const represents = this.#offer(context.publisher.id, outcome, context.sandbox);
    if (represents === 0) return;
    this.#keep(describeAuction(context, held, { tookMs, expired }, this.#recording(represents)));
  }

  /** A request that was turned away. */
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

  /** Tells what waits; never rejects. */
  flush(): Promise<void> {
    return this.#telling.now();
  }

  /** Ends the timer and tells the last records. */
  async close(): Promise<void> {
    await this.#telling.stop();
    await this.flush();
  }

  #offer(publisherId: string, outcome: string, sandbox: boolean): number {
    const sampler = sandbox ? this.#samplers!.sandbox : this.#samplers!.live;
    return sampler.offer(publisherId, outcome, this.#options.clock.monotonic());
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
      // Only what was certainly not sent is sent again, while there is room.
      if (error instanceof Overloaded && this.#waiting.length < MOST_WAITING) this.#waiting.push(one);
      else this.#dropped += 1;
    }
  }
}
