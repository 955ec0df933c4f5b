import type { ViewedImpression } from '../../actors/feed-page/view-row.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { IdempotentMark, MarkOutcome, MessageLog } from '../../runtime/ports/log.ts';
import type { Facts } from '../facts/facts.ts';
import { impressionIdempotencyKey, impressionPartition } from '../impressions/impression-entry.ts';
import { PartitionBatches } from '../impressions/partition-batches.ts';
import type { SoldImpression } from '../tracking/sale.ts';
import type { TrackingVerifier } from '../tracking/verify.ts';
import { FACTS_OF_EVENT, type ViewabilityEventName, type ViewabilityFact } from '../tracking/view-event.ts';
import { PendingViewability } from './early-views.ts';
import { DeduplicationWindow } from './seen-once.ts';

/**
 * The outcome of a viewability report. Only `counted` changes figures at once. `waiting`: the impression is not billed
 * yet, or the log is away; it counts if that changes within a minute. `noted`: the visibility of the ad could not be
 * determined. `expired`: reported too late after the sale. `audio`: audio has no viewability, whatever is reported.
 * `test`: the ad was sold in test mode, which counts nothing.
 */
export const VIEWABILITY_OUTCOMES = [
  'counted',
  'waiting',
  'repeated',
  'noted',
  'expired',
  'audio',
  'test',
  'forged',
  'altered',
] as const;
export type ViewabilityOutcome = (typeof VIEWABILITY_OUTCOMES)[number];

/** Upper bound of reports remembered at this edge, so that repeats are not sent to the log; some 100 bytes each. */
const REMEMBERED = 500_000;

export interface ViewabilityIngestOptions {
  readonly log: Pick<MessageLog, 'partitions' | 'markOnce'>;
  readonly verifier: TrackingVerifier;
  readonly facts: Facts;
  readonly clock: Clock;
  /** A report that arrives more than this many ms after the sale does not count. */
  readonly windowMs: number;
  /** Called once for each fact that is counted of a live impression. */
  readonly seen?: (dspId: string, seen: ViewedImpression) => void;
}

/** One event of one sale. */
interface ViewabilityReport {
  readonly event: ViewabilityEventName;
  readonly sale: SoldImpression;
  readonly trackingId: string;
}

/**
 * Counts viewability of impressions that this exchange has billed, each once, at whichever edges it is reported: the
 * log sets a mark beside the impression's id. So there are never more viewable than measurable, nor more measurable
 * than billed impressions. The counts are facts of the publisher, the DSP and the creative; reports that do not count
 * are counted by reason. It bills nothing.
 */
export class ViewabilityIngest {
  readonly #reports: ViewabilityIngestOptions;
  readonly #known: DeduplicationWindow;
  readonly #marks: PartitionBatches<IdempotentMark, MarkOutcome>;
  readonly #early: PendingViewability<ViewabilityReport>;

  constructor(reports: ViewabilityIngestOptions) {
    const { log, clock, windowMs } = reports;
    this.#reports = reports;
    this.#known = new DeduplicationWindow({ windowMs, most: REMEMBERED });
    this.#marks = new PartitionBatches(log.partitions, (partition, marks) => log.markOnce(partition, marks));
    this.#early = new PendingViewability(
      clock,
      async (report) => {
        const outcome = await this.#count(report);
        if (outcome === 'repeated') this.#publisherOf(report.sale).viewCalls.add(outcome);
        return outcome !== 'waiting';
      },
      ({ sale }) => this.#publisherOf(sale).viewCalls.add('unbilled'),
    );
  }

  start(): void {
    this.#early.start();
  }

  /** Retries the held reports once more. Must be called before the facts are closed. */
  close(): Promise<void> {
    return this.#early.close();
  }

  /** Takes one report; `query` is that of the tracking URL, signed by the exchange. Never rejects. */
  async take(event: ViewabilityEventName, query: string): Promise<ViewabilityOutcome> {
    const { verifier, facts } = this.#reports;
    const verified = verifier.verify('impression', query);
    if (!verified.ok) {
      facts.platform(false).viewCalls.add(verified.reason);
      return verified.reason;
    }
    const { sale, trackingId } = verified;
    const report = { event, sale, trackingId };
    const outcome = this.#refusal(report) ?? (await this.#count(report));
    if (outcome === 'waiting') this.#early.hold(`${event} ${trackingId}`, report);
    else if (outcome !== 'counted') this.#publisherOf(sale).viewCalls.add(outcome);
    return outcome;
  }

  /** The reason why the report changes nothing, as far as the report itself shows. */
  #refusal({ event, sale }: ViewabilityReport): ViewabilityOutcome | null {
    const { clock, windowMs } = this.#reports;
    if (sale.test) return 'test';
    if (sale.audio) return 'audio';
    if (clock.now() >= sale.issuedAtMs + windowMs) return 'expired';
    return FACTS_OF_EVENT[event].length === 0 ? 'noted' : null;
  }

  async #count({ event, sale, trackingId }: ViewabilityReport): Promise<'counted' | 'repeated' | 'waiting'> {
    const newFacts = FACTS_OF_EVENT[event].filter((fact) => !this.#known.has(`${fact} ${trackingId}`, sale.issuedAtMs));
    const partition = impressionPartition(trackingId, this.#reports.log.partitions);
    const name = impressionIdempotencyKey(trackingId, sale.issuedAtMs);
    try {
      const outcomes = await Promise.all(newFacts.map((mark) => this.#marks.add(partition, { ...name, mark })));
      if (outcomes.includes('unknown')) return 'waiting';
      for (const fact of newFacts) this.#known.add(`${fact} ${trackingId}`, sale.issuedAtMs, this.#reports.clock.now());
      const counted = newFacts.filter((_, index) => outcomes[index] === 'marked');
      for (const fact of counted) this.#book(fact, sale, trackingId);
      return counted.includes(FACTS_OF_EVENT[event].at(-1)!) ? 'counted' : 'repeated';
    } catch {
      // The log is away. If the mark was set all the same, the retry finds it set: one report too few rather than one
      // too many.
      return 'waiting';
    }
  }

  #book(what: ViewabilityFact, sale: SoldImpression, trackingId: string): void {
    const publisher = this.#publisherOf(sale);
    const dsp = this.#reports.facts.dsp(sale.dspId, sale.sandbox);
    publisher.views.add(what);
    publisher.bidCountsByDsp.addViewability(sale.dspId, what);
    dsp.views.add(what);
    dsp.bidCountsByPublisher.addViewability(sale.publisherId, what);
    if (sale.crid !== '') dsp.bidCountsByCreative.addViewability(sale.crid, what);
    if (this.#reports.seen === undefined || sale.sandbox) return;
    const { publisherId, campaignId, region, issuedAtMs: soldAtMs } = sale;
    const crid = sale.crid === '' ? null : sale.crid;
    this.#reports.seen(sale.dspId, { trackingId, measure: what, publisherId, campaignId, crid, region, soldAtMs });
  }

  #publisherOf({ publisherId, sandbox }: SoldImpression) {
    return this.#reports.facts.publisher(publisherId, sandbox);
  }
}
