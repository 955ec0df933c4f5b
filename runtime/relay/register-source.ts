import { START } from '../ports/position.ts';
import type { RelayedAppends } from '../ports/relayed.ts';

/** Makes the source known in all partitions at home: from then on budgets wait for it. Repetitions change nothing. */
export async function registerSource(home: RelayedAppends, partitions: number, source: string): Promise<void> {
  const nothing = { after: START, entries: [], throughMs: 0 };
  await Promise.all(
    Array.from({ length: partitions }, (_, partition) => home.appendRelayed(partition, source, nothing)),
  );
}
