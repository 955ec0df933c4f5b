import type { Destination } from './destination/destination.ts';
import { hourOf } from './hour.ts';
import { DATED_FOLDERS } from './layout.ts';

const DAY_MS = 86_400_000;

/** The beginning of the first day that is kept, ms since the epoch; `keepDays` 0: all are. */
export function firstKeptMs(keepDays: number, nowMs: number): number {
  return keepDays === 0 ? 0 : Math.floor((nowMs - keepDays * DAY_MS) / DAY_MS) * DAY_MS;
}

/**
 * Deletes the files of days that ended more than `keepDays` days ago; 0: keeps all. Resolves with the days that were
 * deleted. Manifests of hours go first, then those of sources: no reader finds an hour of which a part is deleted, nor
 * a manifest of files that are not there any more. Each folder is listed by itself, so a run finds what an earlier one
 * that was cut short has left in any of them.
 */
export async function deleteOldDays(
  destination: Destination,
  keepDays: number,
  nowMs: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (keepDays === 0) return [];
  const before = `dt=${hourOf(firstKeptMs(keepDays, nowMs)).day}`;
  const deleted = new Set<string>();
  for (const folder of DATED_FOLDERS) {
    for (const name of await destination.folders(folder)) {
      signal.throwIfAborted();
      if (!/^dt=\d{4}-\d{2}-\d{2}$/.test(name) || name >= before) continue;
      await destination.removeFolder(`${folder}/${name}`);
      deleted.add(name.slice(3));
    }
  }
  return [...deleted].sort();
}
