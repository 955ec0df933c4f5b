import { utcDay } from '../ledger/ledger-id.ts';

/** The rollup of an impression of this partition and log time: `<partition>:<UTC day>`. */
export function rollupIdAt(partition: string, logTimeMs: number): string {
  return `${partition}:${utcDay(logTimeMs)}`;
}

/** The partition of `<partition>` (the address of impressions) and of `<partition>:<UTC day>`. */
export function partitionOfRollup(id: string): number {
  const partition = Number.parseInt(id, 10);
  if (!(partition >= 0)) throw new Error(`no tally is named ${id}`);
  return partition;
}
