import type { MessageLog } from '../../runtime/ports/log.ts';
import type { RelayedAppends } from '../../runtime/ports/relayed.ts';

/** To when the regions with logs of their own are drained. */
export interface RegionsThrough {
  /**
   * What the edges of all regions took into their logs before this instant of those logs' clocks is at home, ms since
   * the epoch; null without such regions.
   */
  readonly throughMs: number | null;
  /** The sources that are furthest behind. */
  readonly behind: readonly string[];
}

/**
 * Reads to when the regions are drained that were ever registered at home and are not written off. A region is drained
 * as far as the least drained of its partitions.
 */
export async function readRegionsThrough(
  relayed: Pick<RelayedAppends, 'sources'>,
  partitions: number,
): Promise<RegionsThrough> {
  const all = await Promise.all(Array.from({ length: partitions }, (_, partition) => relayed.sources(partition)));
  const waitedFor = all.flat().filter(({ writtenOff }) => writtenOff === null);
  if (waitedFor.length === 0) return { throughMs: null, behind: [] };
  const least = Math.min(...waitedFor.map(({ throughMs }) => throughMs));
  const behind = waitedFor.filter(({ throughMs }) => throughMs === least).map(({ source }) => source);
  return { throughMs: least, behind: [...new Set(behind)] };
}

/** The same to when regions are drained, with the latest clock of the log at home after it was read. */
export async function readRegionsAt(
  relayed: Pick<RelayedAppends, 'sources'>,
  log: Pick<MessageLog, 'partitions' | 'tail'>,
): Promise<{ readonly throughMs: number | null; readonly atMs: number }> {
  const { throughMs } = await readRegionsThrough(relayed, log.partitions);
  if (throughMs === null) return { throughMs, atMs: 0 };
  const tails = await Promise.all(Array.from({ length: log.partitions }, (_, partition) => log.tail(partition)));
  return { throughMs, atMs: Math.max(...tails.map(({ nowMs }) => nowMs)) };
}
