import type { RelayedAppends } from '../../runtime/ports/relayed.ts';
import { encodedPriceOf } from './too-late-money.ts';

/** How many entries that came too late are read of each partition. */
const MOST_TOO_LATE = 100_000;

/** A region with a log of its own, as the log at home knows it. */
export interface Region {
  readonly name: string;
  /** To when all of it is at home: ISO 8601; null before the first word of it. */
  readonly drained_through: string | null;
  readonly written_off: string | null;
  readonly too_late: { readonly impressions: number; readonly gross_nanos: number };
}

/** The log at home. */
export interface Home {
  readonly relayed: RelayedAppends;
  readonly partitions: readonly number[];
}

/** What is read of it. */
interface RegionReads {
  readonly relayed: Pick<RelayedAppends, 'sources' | 'tooLate'>;
  readonly partitions: readonly number[];
}

/** A region is written off when no partition takes it any more, and drained as far as its least drained partition. */
export async function readRegions({ relayed, partitions }: RegionReads): Promise<Region[]> {
  const sources = await Promise.all(partitions.map((partition) => relayed.sources(partition)));
  const tooLate = await sumTooLate({ relayed, partitions });
  const names = [...new Set(sources.flat().map(({ source }) => source))].sort();
  return names.map((name) => {
    const parts = sources.flat().filter(({ source }) => source === name);
    const throughMs = Math.min(...parts.map((part) => part.throughMs));
    const isWrittenOff = parts.length === partitions.length && parts.every(({ writtenOff }) => writtenOff !== null);
    return {
      name,
      drained_through: throughMs === 0 ? null : new Date(throughMs).toISOString(),
      written_off: isWrittenOff ? parts[0]!.writtenOff : null,
      too_late: tooLate.get(name) ?? { impressions: 0, gross_nanos: 0 },
    };
  });
}

/** By source. One partition is read after the other: there may be very many. */
async function sumTooLate({ relayed, partitions }: RegionReads): Promise<ReadonlyMap<string, Region['too_late']>> {
  const sums = new Map<string, Region['too_late']>();
  for (const partition of partitions) {
    for (const { source, payload } of await relayed.tooLate(partition, MOST_TOO_LATE)) {
      const price = encodedPriceOf(payload);
      if (price === null) continue;
      const { impressions, gross_nanos } = sums.get(source) ?? { impressions: 0, gross_nanos: 0 };
      sums.set(source, { impressions: impressions + 1, gross_nanos: gross_nanos + price });
    }
  }
  return sums;
}
