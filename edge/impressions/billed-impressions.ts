import type { ReadRenderings, Rendering, SaleName } from '../../actors/auction-record/rendering.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { MessageLog } from '../../runtime/ports/log.ts';
import { impressionName, impressionPartition } from './impression-entry.ts';

/** How long after an impression's window the log remembers it (see `MessageLog.appendOnce`). */
export const REMEMBERED_MS = 3_600_000;
/** Clocks of edges, of the log and of whoever asks differ by less. */
export const CLOCKS_DIFFER_MS = 60_000;

export interface RenderingsOptions {
  readonly log: Pick<MessageLog, 'partitions' | 'remembers'>;
  readonly clock: Clock;
  readonly renderWindowMs: number;
}

/**
 * What became of sold imps, by the ids that keep impressions from being billed twice: what the log remembers is billed, whichever
 * edge took it. It remembers each for an hour past its window, so that later nothing can be told.
 */
export function readRenderings({ log, clock, renderWindowMs }: RenderingsOptions): ReadRenderings {
  const areBilled = async (sales: readonly SaleName[]): Promise<ReadonlySet<string>> => {
    const byPartition = new Map<number, SaleName[]>();
    for (const sale of sales) {
      const partition = impressionPartition(sale.trackingId, log.partitions);
      const others = byPartition.get(partition);
      if (others) others.push(sale);
      else byPartition.set(partition, [sale]);
    }
    const billed = new Set<string>();
    const ask = async ([partition, some]: [number, SaleName[]]) => {
      const names = some.map(({ trackingId, soldAtMs }) => impressionName(trackingId, soldAtMs));
      const remembered = await log.remembers(partition, names);
      for (const [index, { trackingId }] of some.entries()) if (remembered[index]) billed.add(trackingId);
    };
    await Promise.all([...byPartition].map(ask));
    return billed;
  };

  return async (sales) => {
    const nowMs = clock.now();
    const billed = await areBilled(sales).catch(() => null);
    return sales.map(({ trackingId, soldAtMs }): Rendering => {
      if (billed === null) return 'unknown';
      if (billed.has(trackingId)) return 'billed';
      const overMs = nowMs - (soldAtMs + renderWindowMs);
      if (overMs < CLOCKS_DIFFER_MS) return 'awaited';
      return overMs < REMEMBERED_MS - CLOCKS_DIFFER_MS ? 'none' : 'unknown';
    });
  };
}
