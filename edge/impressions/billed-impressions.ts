import type { ReadRenderStatuses, RenderStatus, SaleReference } from '../../actors/auction-record/render-status.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { MessageLog } from '../../runtime/ports/log.ts';
import { impressionIdempotencyKey, impressionPartition } from './impression-entry.ts';

/** ms after an impression's window for which the log remembers it (see `MessageLog.appendOnce`). */
export const LOG_MEMORY_MS = 3_600_000;
/** Upper bound, ms, of the difference between the clocks of edges, of the log and of readers. */
export const MAX_CLOCK_SKEW_MS = 60_000;

export interface RenderStatusOptions {
  readonly log: Pick<MessageLog, 'partitions' | 'remembers'>;
  readonly clock: Clock;
  readonly renderWindowMs: number;
}

/**
 * Reads whether sold imps were billed, from the ids that keep impressions from being billed twice: an id that the log
 * remembers is billed, whichever edge took it. The log remembers an id for an hour past its window; after that the
 * status is unknown.
 */
export function readRenderStatuses({ log, clock, renderWindowMs }: RenderStatusOptions): ReadRenderStatuses {
  const areBilled = async (sales: readonly SaleReference[]): Promise<ReadonlySet<string>> => {
    const byPartition = new Map<number, SaleReference[]>();
    for (const sale of sales) {
      const partition = impressionPartition(sale.trackingId, log.partitions);
      const others = byPartition.get(partition);
      if (others) others.push(sale);
      else byPartition.set(partition, [sale]);
    }
    const billed = new Set<string>();
    const ask = async ([partition, some]: [number, SaleReference[]]) => {
      const names = some.map(({ trackingId, soldAtMs }) => impressionIdempotencyKey(trackingId, soldAtMs));
      const remembered = await log.remembers(partition, names);
      for (const [index, { trackingId }] of some.entries()) if (remembered[index]) billed.add(trackingId);
    };
    await Promise.all([...byPartition].map(ask));
    return billed;
  };

  return async (sales) => {
    const nowMs = clock.now();
    const billed = await areBilled(sales).catch(() => null);
    return sales.map(({ trackingId, soldAtMs }): RenderStatus => {
      if (billed === null) return 'unknown';
      if (billed.has(trackingId)) return 'billed';
      const overMs = nowMs - (soldAtMs + renderWindowMs);
      if (overMs < MAX_CLOCK_SKEW_MS) return 'awaited';
      return overMs < LOG_MEMORY_MS - MAX_CLOCK_SKEW_MS ? 'none' : 'unknown';
    });
  };
}
