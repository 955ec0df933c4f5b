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
 * What became of a view. Only `counted` changes figures, now. `waiting`: the impression is not billed yet, or the log is away; it
 * counts if that changes within a minute. `noted`: nobody can tell whether the ad was seen. `expired`: told too late after the
 * sale. `audio`: what is heard is not seen, whatever is told of it.
 */
export const VIEWABILITY_OUTCOMES = [
  'counted',
  'waiting',
  'repeated',
  'noted',
  'expired',
  'audio',
  'forged',
  'altered',
] as const;
export type ViewabilityOutcome = (typeof VIEWABILITY_OUTCOMES)[number];

/** Views remembered here, so that the log is not asked for repeats; some 100 bytes each. */
const REMEMBERED = 500_000;

export interface ViewabilityIngestOptions {
  readonly log: Pick<MessageLog, 'partitions' | 'markOnce'>;
  readonly verifier: TrackingVerifier;
  readonly facts: Facts;
  readonly clock: Clock;
  /** A view that is told later than this after the sale does not count. */
  readonly windowMs: number;
}

/** One event of one sale. */
interface ViewabilityReport {
  readonly event: ViewabilityEventName;
  readonly sale: SoldImpression;
  readonly trackingId: string;
}

/**
 * Counts views of impressions that this exchange has billed, each once, whichever edges hear of it: the log sets a mark beside
 * the impression's id. So there are never more seen than measurable, nor more measurable than billed. A fact of the publisher, of
 * the DSP and of the creative; what does not count is counted by its reason. It bills nothing.
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
      async (view) => {
        const outcome = await this.#count(view);
        if (outcome === 'repeated') this.#publisherOf(view.sale).viewCalls.add(outcome);
        return outcome !== 'waiting';
      },
      ({ sale }) => this.#publisherOf(sale).viewCalls.add('unbilled'),
    );
  }

  start(): void {
    this.#early.start();
  }

  /** Tries once more what waits. Before the facts are closed. */
  close(): Promise<void> {
    return this.#early.close();
  }

  /** `query`: that of the tracking URL, signed by the exchange. Never rejects. */
  async take(event: ViewabilityEventName, query: string): Promise<ViewabilityOutcome> {
    const { verifier, facts } = this.#reports;
    const verified = verifier.verify('impression', query);
    if (!verified.ok) {
      facts.platform(false).viewCalls.add(verified.reason);
      return verified.reason;
    }
    const { sale, trackingId } = verified;
    const view = { event, sale, trackingId };
    const outcome = this.#refusal(view) ?? (await this.#count(view));
    if (outcome === 'waiting') this.#early.hold(`${event} ${trackingId}`, view);
    else if (outcome !== 'counted') this.#publisherOf(sale).viewCalls.add(outcome);
    return outcome;
  }

  /** Why it changes nothing, as far as the view itself tells. */
  #refusal({ event, sale }: ViewabilityReport): ViewabilityOutcome | null {
    const { clock, windowMs } = this.#reports;
    if (sale.audio) return 'audio';
    if (clock.now() >= sale.issuedAtMs + windowMs) return 'expired';
    return FACTS_OF_EVENT[event].length === 0 ? 'noted' : null;
  }

  async #count({ event, sale, trackingId }: ViewabilityReport): Promise<'counted' | 'repeated' | 'waiting'> {
    const news = FACTS_OF_EVENT[event].filter((said) => !this.#known.has(`${said} ${trackingId}`, sale.issuedAtMs));
    const partition = impressionPartition(trackingId, this.#reports.log.partitions);
    const name = impressionIdempotencyKey(trackingId, sale.issuedAtMs);
    try {
      const outcomes = await Promise.all(news.map((mark) => this.#marks.add(partition, { ...name, mark })));
      if (outcomes.includes('unknown')) return 'waiting';
      for (const said of news) this.#known.add(`${said} ${trackingId}`, sale.issuedAtMs, this.#reports.clock.now());
      const counted = news.filter((_, index) => outcomes[index] === 'marked');
      for (const said of counted) this.#book(said, sale);
      return counted.includes(FACTS_OF_EVENT[event].at(-1)!) ? 'counted' : 'repeated';
    } catch {
      // The log is away. A mark that was set all the same is found set: rather one view too few than one too many.
      return 'waiting';
    }
  }

  #book(what: ViewabilityFact, sale: SoldImpression): void {
    const publisher = this.#publisherOf(sale);
    const dsp = this.#reports.facts.dsp(sale.dspId, sale.sandbox);
    publisher.views.add(what);
    publisher.bidCountsByDsp.addViewability(sale.dspId, what);
    dsp.views.add(what);
    dsp.bidCountsByPublisher.addViewability(sale.publisherId, what);
    if (sale.crid !== '') dsp.bidCountsByCreative.addViewability(sale.crid, what);
  }

  #publisherOf({ publisherId, sandbox }: SoldImpression) {
    return this.#reports.facts.publisher(publisherId, sandbox);
  }
}
