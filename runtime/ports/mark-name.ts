import type { MarkedPartition } from './store.ts';

/** The name under which a store keeps the high-water mark of a partition: `5`, or `facts-5` of a log with a name. */
export function markName({ log, partition }: MarkedPartition): string {
  return log === undefined ? String(partition) : `${log}-${partition}`;
}
