import type { RelayedAppends } from '../ports/relayed.ts';

type Home = Pick<RelayedAppends, 'sources'>;

/** Why one of the partitions at home, 0 to below `partitions`, has written the source off; null while none has. */
export async function writtenOffAtHome(home: Home, partitions: number, source: string): Promise<string | null> {
  const reasons = await Promise.all(
    Array.from({ length: partitions }, (_, partition) => writtenOffIn(home, partition, source)),
  );
  return reasons.find((reason) => reason !== null) ?? null;
}

/** Why the partition at home has written the source off; null where it has not, or does not know it. */
export async function writtenOffIn(home: Home, partition: number, source: string): Promise<string | null> {
  const sources = await home.sources(partition);
  return sources.find((one) => one.source === source)?.writtenOff ?? null;
}
