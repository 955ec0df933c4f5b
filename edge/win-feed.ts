import type { DspProjection } from '../actors/dsp/fields.ts';
import { encodeUntimedRow, type WinDetails } from '../actors/feed-page/feed-event.ts';
import { feedPage } from '../actors/feed-page/feed-page.ts';
import { feedId, viewFeedId, winQueueId } from '../actors/feed-page/feed-page-id.ts';
import { encodeUntimedView, type ViewedImpression } from '../actors/feed-page/view-row.ts';
import { mapLimit } from '../async/map-limit.ts';
import { Ticker } from '../async/ticker.ts';
import type { Replica } from '../runtime/actor/replica.ts';
import { encodeEnvelope } from '../runtime/node/envelope.ts';
import { hashAddress } from '../runtime/node/kind-registry.ts';
import type { Clock } from '../runtime/ports/clock.ts';
import type { IdempotentEntry, MessageLog } from '../runtime/ports/log.ts';
import type { SoldImp } from './auction/sold-imp.ts';
import type { AuctionContext } from './auction-context.ts';
import { WinQueues } from './win-queues.ts';

const FLUSH_EVERY_MS = 1_000;
const HOUR_MS = 3_600_000;
/** Upper bound of wins in one message: 1 MB at most, since a row has at most 2 KB. */
const BATCH = 500;
/** What a page stores beside the text of a row, in bytes: its time, and its place in the list. */
const ROW_OVERHEAD_BYTES = 32;
/** Upper bound of wins that wait while the log is away; further wins are dropped. */
const MAX_WAITING = 50_000;
/** Wins that could not be appended within this many ms are dropped. */
const KEEP_TRYING_MS = 5 * 60_000;
/** Upper bound of appends under way at once. */
const APPENDS_AT_ONCE = 16;

export interface WinFeedOptions {
  readonly log: Pick<MessageLog, 'appendOnce' | 'partitions'>;
  /** DSP projections: whether a DSP wants a feed, and how often its sandbox was reset. */
  readonly replica: Replica;
  readonly clock: Clock;
  /** Unique name of this run of this edge. */
  readonly edge: string;
  /** Whether wins are stored with their details, those of DSPs without a feed too, for log-level data. Default: not. */
  readonly storesAll?: boolean;
}

/** The part of an auction that its wins tell of. */
export type WonAuction = Pick<AuctionContext, 'pool'> & {
  readonly request: Pick<AuctionContext['request'], 'device'>;
};

/** A batch to be appended. The log appends it at most once, however often it is tried. */
interface Batch {
  readonly partition: number;
  readonly entry: IdempotentEntry;
  readonly wins: number;
}

/**
 * Appends this edge's sales to the feeds of DSPs, once a second. An edge that dies loses the wins of its last second;
 * while the log is away wins wait, up to a bound of number and time. No money depends on them: impressions are stored
 * separately.
 */
export class WinFeed {
  readonly #options: WinFeedOptions;
  readonly #queues: WinQueues;
  /** Rows since the last flush, by feed. */
  #rows = new Map<string, string[]>();
  #batches: Batch[] = [];
  #waiting = 0;
  #dropped = 0;
  #numbered = 0;
  readonly #appending: Ticker;

  constructor(options: WinFeedOptions) {
    this.#options = options;
    this.#queues = new WinQueues(options.edge);
    this.#appending = new Ticker(options.clock, FLUSH_EVERY_MS, () => this.#appendAll());
  }

  /** Number of wins that were dropped and are missing in a feed. */
  get dropped(): number {
    return this.#dropped;
  }

  add(sold: readonly SoldImp[], auction: WonAuction): void {
    const { storesAll = false } = this.#options;
    for (const { win, sale, trackingId } of sold) {
      const dsp = this.#options.replica.get<DspProjection>('dsp', sale.dspId);
      if (dsp?.eventFeed === false && !storesAll) continue;
      const { auctionId, publisherId, campaignId, priceCpmMicros, region, issuedAtMs: soldAtMs } = sale;
      const crid = sale.crid === '' ? null : sale.crid;
      const row = encodeUntimedRow(
        { trackingId, auctionId, impId: win.impId, publisherId, campaignId, crid, priceCpmMicros, region, soldAtMs },
        storesAll ? detailsOf(win, auction) : undefined,
      );
      this.#keep(feedId(sale.dspId, sale.sandbox, dsp?.sandboxGeneration), row);
    }
  }

  /** Adds what was seen of a live impression of a demand source, for log-level data. */
  addView(dspId: string, seen: ViewedImpression): void {
    this.#keep(viewFeedId(dspId), encodeUntimedView(seen));
  }

  #keep(feed: string, row: string): void {
    if (this.#waiting >= MAX_WAITING) {
      this.#dropped += 1;
      return;
    }
    const rows = this.#rows.get(feed);
    if (rows) rows.push(row);
    else this.#rows.set(feed, [row]);
    this.#waiting += 1;
  }

  start(): void {
    this.#appending.start();
  }

  /** Appends all waiting wins; the next flush retries what fails. Never rejects. */
  flush(): Promise<void> {
    return this.#appending.now();
  }

  /** Stops the timer and appends all waiting wins, as far as the log takes them. */
  async close(): Promise<void> {
    await this.#appending.stop();
    await this.flush();
  }

  async #appendAll(): Promise<void> {
    if (this.#batches.length === 0) this.#queues.beginWindow(this.#options.clock.monotonic());
    for (const [feed, rows] of this.#rows) {
      for (let start = 0; start < rows.length; start += BATCH) {
        this.#batches.push(this.#batch(feed, rows.slice(start, start + BATCH)));
      }
    }
    this.#rows = new Map();
    const byPartition = new Map<number, Batch[]>();
    for (const batch of this.#batches) {
      const others = byPartition.get(batch.partition);
      if (others) others.push(batch);
      else byPartition.set(batch.partition, [batch]);
    }
    this.#batches = [];
    await mapLimit([...byPartition.values()], APPENDS_AT_ONCE, (batches) => this.#append(batches));
  }

  #batch(feed: string, rows: readonly string[]): Batch {
    const { edge, clock, log } = this.#options;
    const bytes = rows.reduce((sum, row) => sum + Buffer.byteLength(row) + ROW_OVERHEAD_BYTES, 0);
    const to = `${feedPage.kind}/${winQueueId(feed, this.#queues.queueFor(feed, bytes))}`;
    const nowMs = clock.now();
    const entry: IdempotentEntry = {
      id: `feed/${edge}/${this.#numbered++}`,
      bucketMs: Math.floor(nowMs / HOUR_MS) * HOUR_MS,
      expiresAtMs: nowMs + KEEP_TRYING_MS,
      payload: encodeEnvelope({ to, type: 'wins', body: { rows } }),
    };
    return { partition: hashAddress(to) % log.partitions, entry, wins: rows.length };
  }

  async #append(batches: readonly Batch[]): Promise<void> {
    const { log, clock } = this.#options;
    try {
      const entries = batches.map(({ entry }) => entry);
      const outcomes = await log.appendOnce(batches[0]!.partition, entries);
      for (const [index, { wins }] of batches.entries()) this.#settle(wins, outcomes[index] === 'expired');
    } catch {
      // The append may have succeeded all the same; the log recognizes the batch by its id.
      const nowMs = clock.now();
      for (const batch of batches) {
        if (nowMs < batch.entry.expiresAtMs) this.#batches.push(batch);
        else this.#settle(batch.wins, true);
      }
    }
  }

  #settle(wins: number, dropped: boolean): void {
    this.#waiting -= wins;
    if (dropped) this.#dropped += wins;
  }
}

function detailsOf({ dealId, format, bid }: SoldImp['win'], { pool, request }: WonAuction): WinDetails {
  return {
    poolId: pool?.id ?? null,
    dealId,
    format,
    width: bid.w ?? null,
    height: bid.h ?? null,
    country: request.device?.geo?.country ?? null,
  };
}
