import type { InvalidReason } from '../../exchange/invalid-traffic/invalid-reason.ts';
import { feeNanos } from '../../exchange/money/fee.ts';
import { nanosPerImpression } from '../../exchange/money/nanos.ts';
import { substituteMacros } from '../../exchange/openrtb/macros.ts';
import { Complaints } from '../../runtime/actor/complaints.ts';
import type { Logger } from '../../runtime/actor/logger.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { AppendOnceOutcome, IdempotentEntry } from '../../runtime/ports/log.ts';
import type { Span, Tracer } from '../../runtime/ports/tracer.ts';
import type { RenderedSale } from '../budgets/shares/publisher-shares.ts';
import type { Facts } from '../facts/facts.ts';
import { type CampaignImpression, campaignImpressionOf } from '../tracking/campaign-viewing.ts';
import type { SoldImpression } from '../tracking/sale.ts';
import { traceIn } from '../tracking/trace-parameter.ts';
import type { TrackingVerifier, Verified } from '../tracking/verify.ts';
import type { ImpressionCaller } from './impression-caller.ts';
import {
  impressionEntry,
  impressionPartition,
  type PublisherPolicy,
  type SandboxGenerations,
} from './impression-entry.ts';
import type { ImpressionLog } from './impression-log.ts';
import { PartitionBatches } from './partition-batches.ts';
import type { ImpressionSpool } from './spool.ts';
import type { SpooledImpression } from './spool-record.ts';
import { SpoolReplay } from './spool-replay.ts';
import type { WinNotifier } from './told-wins.ts';

/** Default of the render window, ms: the time after its sale within which an impression may be billed. */
const DEFAULT_RENDER_WINDOW_MS = 3_600_000;
/** Upper bound of impressions that wait for the log; further ones go to the spool. */
const MAX_WAITING = 20_000;
/**
 * Lower bound of one partition's share of the waiting impressions. Beyond its share, a partition's impressions go to
 * the spool, so that a shard that does not answer leaves room for the others.
 */
const LEAST_SHARE = 500;
const RETRY_LOG_AFTER_MS = 1_000;

/**
 * The outcome of a call of the pixel. Only `billed` moves money, and only `refused` was not recorded. `spooled`: in
 * time, durable at this edge, and to be billed or recognized as a repeat when the log is back. `invalid`: invalid
 * traffic, which leaves the impression to the next caller. `test`: sold in test mode, and never billed.
 */
export type ImpressionOutcome =
  | 'billed'
  | 'invalid'
  | 'test'
  | 'repeated'
  | 'expired'
  | 'forged'
  | 'altered'
  | 'spooled'
  | 'refused';

/**
 * Judges one genuine call on arrival: the reason why it is invalid traffic, or null. Waits for nothing and never
 * throws.
 */
export type InvalidTrafficCheck = (verified: Verified, caller: ImpressionCaller) => InvalidReason | null;

export interface IngestOptions {
  readonly log: Pick<ImpressionLog, 'partitions' | 'appendOnce' | 'tail'>;
  readonly verifier: TrackingVerifier;
  readonly spool: ImpressionSpool;
  readonly facts: Facts;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * A publisher's account and its present fee; null when this edge does not know them, in which case nothing can be
   * billed.
   */
  readonly publisherPolicy: (publisherId: string) => PublisherPolicy | null;
  readonly sandboxGenerations: (publisherId: string, dspId: string) => SandboxGenerations;
  /** Whether a DSP wants its impressions in its feed. Default: all do. */
  readonly hasFeed?: (dspId: string) => boolean;
  /** Default: every call is valid. */
  readonly verdict?: InvalidTrafficCheck;
  /** Called once for each billed impression with a `burl`, whose last macro, `${AUCTION_IMP_TS}`, is filled in. */
  readonly billed: (billingNoticeUrl: string, dspId: string) => void;
  /**
   * Called before `billed`, once for each billed impression whose URL carries the DSP's `nurl`: it sends the win notice
   * unless it was sent before.
   */
  readonly wins?: Pick<WinNotifier, 'tell'>;
  /** Called once for each billed impression of a campaign; `shownAtMs` is the time of the call, ms since the epoch. */
  readonly viewed?: (campaignImpression: CampaignImpression, shownAtMs: number) => void;
  /**
   * Called once for each impression that was billed while its viewer waited, with the publisher's share in whole
   * nano-dollars. Spooled impressions are left out: they are no figure of the moment any more.
   */
  readonly earned?: (publisherId: string, sandbox: boolean, netNanos: number) => void;
  /**
   * Called once for each billed impression: its sale is rendered. For a spooled impression it is called when it is
   * billed in the end, as only the log knows whether it is a repeat.
   */
  readonly rendered?: (sale: RenderedSale) => void;
  readonly renderWindowMs?: number;
  /**
   * The region of this edge; what others have sold is remembered for as long as they may bring it themselves. Absent:
   * there is one region.
   */
  readonly region?: string;
  /** Null or absent: nothing is traced. */
  readonly tracer?: Tracer | null;
  /** Is told of each genuine call of the pixel, once its outcome is durable, and how long that took. */
  readonly observed?: (outcome: ImpressionOutcome, tookMs: number) => void;
}

/** The notices that a billed impression sends to its DSP. */
interface BilledNotices {
  /** `burl` */
  readonly noticeUrl: string | null;
  /** `nurl` */
  readonly winNoticeUrl: string | null;
  readonly trackingId: string;
  /** Time after which the impression can no longer be billed. */
  readonly expiresAtMs: number;
  readonly dspId: string;
}

/**
 * Takes impressions in. Each is billed once, and the answer leaves only when its outcome is durable: in the log or,
 * while the log is away, in this edge's spool.
 */
export class ImpressionIngest {
  readonly #options: IngestOptions;
  readonly #renderWindowMs: number;
  readonly #batches: PartitionBatches<IdempotentEntry, AppendOnceOutcome>;
  readonly #replay: SpoolReplay;
  /** Partitions whose part of the log does not answer, with the reason; their impressions go to the spool. */
  readonly #away = new Map<number, unknown>();
  /** Partitions with impressions spooled since the last replay of the spool. */
  readonly #spooledFor = new Set<number>();
  /** Whether the spool failed in the last replay, which left files that no partition is known of. */
  #isReplayOwed = false;
  #cancelRetry: (() => void) | null = null;
  #recovering: Promise<void> = Promise.resolve();
  #closed = false;
  readonly #complaints: Complaints;

  constructor(options: IngestOptions) {
    this.#options = options;
    this.#complaints = new Complaints(options);
    this.#renderWindowMs = options.renderWindowMs ?? DEFAULT_RENDER_WINDOW_MS;
    this.#batches = new PartitionBatches(options.log.partitions, (partition, entries) =>
      options.log.appendOnce(partition, entries),
    );
    this.#replay = new SpoolReplay(options.log, options.spool, (impression, outcome) =>
      this.#replayed(impression, outcome),
    );
  }

  /** Number of impressions that wait for the log's answer. */
  get waiting(): number {
    return this.#batches.waiting;
  }

  /** Number of partitions whose part of the log does not answer. */
  get partitionsAway(): number {
    return this.#away.size;
  }

  /** Replays what an earlier run left in the spool. Resolves when that is done, or must wait for the log. */
  start(): Promise<void> {
    this.#recovering = this.#replaySpool();
    return this.#recovering;
  }

  /** Takes one call of the pixel; `query` is its query string. Never rejects. */
  async take(query: string, caller: ImpressionCaller): Promise<ImpressionOutcome> {
    const { verifier, facts, clock, observed } = this.#options;
    const startedMs = observed === undefined ? 0 : clock.monotonic();
    const verified = verifier.verify('impression', query);
    if (!verified.ok) {
      facts.platform(false).impressionCalls.add(verified.reason);
      return verified.reason;
    }
    const { publisherId, sandbox, test } = verified.sale;
    if (test) {
      facts.publisher(publisherId, sandbox).impressionCalls.add('test');
      observed?.('test', clock.monotonic() - startedMs);
      return 'test';
    }
    const invalid = this.#options.verdict?.(verified, caller) ?? null;
    const trace = this.#trace(query);
    const outcome = await this.#record(verified, invalid, trace?.traceparent);
    trace?.set('exchange.outcome', outcome);
    trace?.end();
    facts.publisher(publisherId, sandbox).impressionCalls.add(outcomeFactName(outcome, invalid));
    observed?.(outcome, clock.monotonic() - startedMs);
    return outcome;
  }

  /**
   * Stops the timer and waits for what is under way; of a replay of the spool, for the batches that were sent. What is
   * left in the spool stays for the next run.
   */
  async close(): Promise<void> {
    this.#closed = true;
    this.#replay.stop();
    this.#cancelRetry?.();
    await this.#recovering;
    await this.#options.spool.close();
    this.#complaints.close();
  }

  #trace(query: string): Span | null {
    const { tracer } = this.#options;
    const traceparent = tracer ? traceIn(query) : undefined;
    return traceparent === undefined ? null : tracer!.follow('impression', 'server', traceparent);
  }

  async #record(verified: Verified, invalid: InvalidReason | null, trace?: string): Promise<ImpressionOutcome> {
    const { sale, trackingId, noticeUrl, winNoticeUrl } = verified;
    const terms = this.#options.publisherPolicy(sale.publisherId);
    if (terms === null) return 'refused';
    const campaignImpression = campaignImpressionOf(sale, trackingId);
    const partition = impressionPartition(trackingId, this.#options.log.partitions);
    const generations = sale.sandbox ? this.#options.sandboxGenerations(sale.publisherId, sale.dspId) : null;
    const inFeed = this.#options.hasFeed?.(sale.dspId) ?? true;
    const windowMs = this.#renderWindowMs;
    const made = impressionEntry(sale, trackingId, terms, partition, windowMs, generations, inFeed, invalid, trace);
    const { region = sale.region } = this.#options;
    const entry: IdempotentEntry = sale.region === region ? made : { ...made, isForeign: true };
    if (!this.#away.has(partition) && this.#hasRoom(partition)) {
      try {
        const outcome = await this.#batches.add(partition, entry);
        if (outcome === 'appended' && invalid === null) {
          const { publisherId, sandbox, priceCpmMicros } = sale;
          const netNanos = nanosPerImpression(priceCpmMicros) - feeNanos(priceCpmMicros, terms.feePpm);
          this.#options.earned?.(publisherId, sandbox, netNanos);
          this.#options.rendered?.(renderedSale(sale));
        }
        const notices = { noticeUrl, winNoticeUrl, trackingId, expiresAtMs: entry.expiresAtMs, dspId: sale.dspId };
        return this.#settled(outcome, invalid, notices, campaignImpression, this.#options.clock.now());
      } catch (error) {
        // The append may have succeeded all the same. Replaying it is harmless: the log knows its id.
        this.#logFailed(partition, error);
      }
    }
    const { publisherId, sandbox } = sale;
    const judgedAtMs = this.#options.clock.now();
    const { campaignId, priceNanos, soldAtMs } = renderedSale(sale);
    const judged = invalid === null ? { rendered: { campaignId, priceNanos, soldAtMs } } : { invalid };
    return this.#spool({
      partition,
      entry,
      judgedAtMs,
      publisherId,
      sandbox,
      noticeUrl,
      ...(winNoticeUrl === null ? {} : { winNoticeUrl }),
      dspId: sale.dspId,
      viewing: campaignImpression,
      ...judged,
    });
  }

  #hasRoom(partition: number): boolean {
    if (this.#batches.waiting >= MAX_WAITING) return false;
    return this.#batches.waitingFor(partition) < Math.max(LEAST_SHARE, MAX_WAITING / this.#options.log.partitions);
  }

  #settled(
    outcome: AppendOnceOutcome,
    invalid: InvalidReason | null,
    { noticeUrl, winNoticeUrl, trackingId, expiresAtMs, dspId }: BilledNotices,
    campaignImpression: CampaignImpression | null,
    atMs: number,
  ): ImpressionOutcome {
    if (outcome !== 'appended') return outcome;
    if (invalid !== null) return 'invalid';
    if (campaignImpression !== null) this.#options.viewed?.(campaignImpression, atMs);
    if (winNoticeUrl !== null) this.#options.wins?.tell(trackingId, winNoticeUrl, dspId, expiresAtMs);
    if (noticeUrl !== null) this.#options.billed(substituteMacros(noticeUrl, { impressionMs: String(atMs) }), dspId);
    return 'billed';
  }

  async #spool(impression: SpooledImpression): Promise<ImpressionOutcome> {
    const { spool } = this.#options;
    if (impression.judgedAtMs >= impression.entry.expiresAtMs) return 'expired';
    try {
      await spool.append(impression);
      this.#spooledFor.add(impression.partition);
      this.#recoverSoon();
      return 'spooled';
    } catch (error) {
      this.#complaints.error({ err: error }, 'an impression could be recorded neither in the log nor in the spool');
      return 'refused';
    }
  }

  #logFailed(partition: number, error: unknown): void {
    if (this.#away.size === 0) {
      this.#complaints.warn({ err: error, partition }, 'the log is away: impressions go to the spool');
    }
    this.#away.set(partition, error);
    this.#recoverSoon();
  }

  #recoverSoon(): void {
    if (this.#closed || this.#cancelRetry) return;
    this.#cancelRetry = this.#options.clock.after(RETRY_LOG_AFTER_MS, () => {
      this.#cancelRetry = null;
      this.#recovering = this.#recovering.then(() => this.#recover());
    });
  }

  /**
   * Tries the partitions that are away. Those that answer take impressions again, and their spooled impressions are
   * replayed.
   */
  async #recover(): Promise<void> {
    const { log } = this.#options;
    await Promise.all(
      [...this.#away.keys()].map((partition) =>
        log.tail(partition).then(
          () => this.#away.delete(partition),
          (error) => this.#away.set(partition, error),
        ),
      ),
    );
    const waiting = new Set([...this.#spooledFor, ...this.#replay.waitingFor]);
    const canReplay = [...waiting].some((partition) => !this.#away.has(partition));
    if (canReplay || this.#isReplayOwed) await this.#replaySpool();
    else if (this.#away.size > 0) this.#recoverSoon();
  }

  /** Never rejects. */
  async #replaySpool(): Promise<void> {
    const { logger } = this.#options;
    this.#spooledFor.clear();
    this.#isReplayOwed = false;
    const awayBefore = this.#away.size;
    try {
      const { impressions, damagedLines, foreign, failure } = await this.#replay.run(this.#away);
      if (foreign > 0) logger.error({ impressions: foreign }, 'spooled impressions of another exchange are set aside');
      if (damagedLines > 0) logger.error({ damagedLines }, 'spooled impressions were damaged on disk');
      if (impressions > 0) logger.info({ impressions }, 'replayed impressions from the spool');
      const [error] = this.#away.values();
      if (awayBefore === 0 && this.#away.size > 0) {
        this.#complaints.warn({ err: error }, 'the spool could not be replayed: trying again');
      }
      if (failure !== null) this.#spoolFailed(failure.error, failure.file);
    } catch (error) {
      this.#spoolFailed(error);
    }
    if (this.#away.size > 0 || this.#spooledFor.size > 0 || this.#isReplayOwed) this.#recoverSoon();
  }

  #spoolFailed(error: unknown, file?: string): void {
    this.#isReplayOwed = true;
    this.#complaints.warn({ err: error, file }, 'the spool could not be replayed: trying again');
  }

  #replayed(spooled: SpooledImpression, outcome: AppendOnceOutcome): void {
    const {
      publisherId,
      sandbox,
      noticeUrl,
      dspId = '',
      viewing: campaignImpression = null,
      entry,
      judgedAtMs,
      invalid = null,
    } = spooled;
    const { id: trackingId, expiresAtMs } = entry;
    const notices = { noticeUrl, winNoticeUrl: spooled.winNoticeUrl ?? null, trackingId, expiresAtMs, dspId };
    const { rendered } = spooled;
    const { facts } = this.#options;
    if (outcome === 'expired') this.#complaints.error({ trackingId }, 'a spooled impression came too late for the log');
    const settled = this.#settled(outcome, invalid, notices, campaignImpression, judgedAtMs);
    if (settled === 'billed' && rendered) this.#options.rendered?.({ publisherId, dspId, sandbox, ...rendered });
    const name = outcome === 'expired' ? 'too-late' : outcomeFactName(settled, invalid);
    facts.publisher(publisherId, sandbox).impressionCalls.add(`replayed-${name}`);
  }
}

function renderedSale({
  publisherId,
  dspId,
  campaignId,
  priceCpmMicros,
  issuedAtMs,
  sandbox,
}: SoldImpression): RenderedSale {
  const priceNanos = nanosPerImpression(priceCpmMicros);
  return { publisherId, dspId, campaignId, priceNanos, soldAtMs: issuedAtMs, sandbox };
}

/** The name of a call's count: for an invalid one, its reason. */
function outcomeFactName(outcome: ImpressionOutcome, invalid: InvalidReason | null): string {
  return outcome === 'invalid' ? `invalid-${invalid}` : outcome;
}
