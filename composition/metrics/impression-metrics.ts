import type { Registry } from 'prom-client';
import type { ImpressionIngest, ImpressionOutcome } from '../../edge/impressions/impression-ingest.ts';
import type { ImpressionSpool } from '../../edge/impressions/spool.ts';
import { counterAtScrape, gaugeAtScrape } from './at-scrape.ts';
import type { DurationBuckets } from './duration-buckets.ts';
import { DurationHistogram } from './duration-histogram.ts';

const NANOS_PER_DOLLAR = 1e9;

/** Takes note of one call of the pixel. */
export type ObserveImpression = (outcome: ImpressionOutcome, tookMs: number) => void;

/** Exports how long calls of the pixel waited until what became of them was durable. */
export function impressionMetrics(registry: Registry): ObserveImpression {
  const seconds = new DurationHistogram(registry, {
    name: 'exchange_impression_seconds',
    help: 'Time from a call of the pixel until its outcome was durable, by outcome: in the log, or spooled on this disk',
    labelNames: ['outcome'],
  });
  const byOutcome = new Map<ImpressionOutcome, DurationBuckets>();
  return (outcome, tookMs) => {
    let took = byOutcome.get(outcome);
    if (took === undefined) {
      took = seconds.of(outcome);
      byOutcome.set(outcome, took);
    }
    took.observe(tookMs);
  };
}

/** Exports what publishers earned at this edge, as it was billed: a figure of the moment, and not the books. */
export function earningsMetrics(registry: Registry): (sandbox: boolean, netNanos: number) => void {
  let [live, sandboxed] = [0, 0];
  counterAtScrape(
    registry,
    {
      name: 'exchange_publisher_earnings_dollars_total',
      help: 'What publishers earned with impressions billed at this edge while their viewers waited; the ledgers have the books',
      labelNames: ['environment'],
    },
    (note) => {
      note({ environment: 'live' }, live / NANOS_PER_DOLLAR);
      note({ environment: 'sandbox' }, sandboxed / NANOS_PER_DOLLAR);
    },
  );
  return (sandbox, netNanos) => {
    if (sandbox) sandboxed += netNanos;
    else live += netNanos;
  };
}

/** Exports what waits for the log: in memory, and in this edge's spool. */
export function spoolMetrics(
  registry: Registry,
  parts: {
    readonly impressions: Pick<ImpressionIngest, 'waiting' | 'partitionsAway'>;
    readonly spool: Pick<ImpressionSpool, 'size'>;
  },
): void {
  const { impressions, spool } = parts;
  gaugeAtScrape(
    registry,
    { name: 'exchange_impressions_waiting', help: 'Impressions whose callers wait for the log' },
    (note) => note({}, impressions.waiting),
  );
  gaugeAtScrape(
    registry,
    {
      name: 'exchange_log_partitions_away',
      help: 'Partitions of the log that do not take the impressions of this edge, which go to its spool',
    },
    (note) => note({}, impressions.partitionsAway),
  );
  gaugeAtScrape(
    registry,
    { name: 'exchange_spool_files', help: 'Files of spooled impressions that this edge has still to replay' },
    async (note) => note({}, (await spool.size()).files),
  );
  gaugeAtScrape(
    registry,
    { name: 'exchange_spool_bytes', help: 'Bytes of spooled impressions that this edge has still to replay' },
    async (note) => note({}, (await spool.size()).bytes),
  );
}

export function foreignSpoolMetrics(registry: Registry, countFiles: () => Promise<number>): void {
  gaugeAtScrape(
    registry,
    {
      name: 'exchange_spool_foreign_files',
      help: 'Files with impressions below DATA_DIR/spool that this edge does not replay',
    },
    async (note) => note({}, await countFiles()),
  );
}
