import type { Keys } from '../keys.ts';
import { WRITTEN_OFF } from '../redis-relayed-appends.ts';
import type { Routes } from '../routes.ts';

/** The sources that some partition still takes. */
export async function openSourcesOf(routes: Routes, keys: Keys, partitions: number): Promise<string[]> {
  const open = new Set<string>();
  for (let partition = 0; partition < partitions; partition++) {
    const fields = await relayedTo(routes, keys, partition);
    for (const source of Object.keys(fields)) {
      if (!source.startsWith(WRITTEN_OFF) && fields[WRITTEN_OFF + source] === undefined) open.add(source);
    }
  }
  return [...open].sort();
}

/** Tells the partitions from `partitions` to below `count` of the sources that the first one knows, all written off. */
export async function writeOffInNewPartitions(
  routes: Routes,
  keys: Keys,
  partitions: number,
  count: number,
): Promise<void> {
  const known = Object.entries(await relayedTo(routes, keys, 0));
  for (let partition = partitions; partition < count && known.length > 0; partition++) {
    const key = keys.relayed(partition);
    const { runReplicated } = routes.of(key);
    for (const [field, held] of known) {
      const [, through] = held.split(' ');
      const value = field.startsWith(WRITTEN_OFF) ? held : `0-0 ${through}`;
      await runReplicated((server) => server.hsetnx(key, field, value));
    }
  }
}

async function relayedTo(routes: Routes, keys: Keys, partition: number): Promise<Record<string, string>> {
  const key = keys.relayed(partition);
  return routes.of(key).runReplicated((server) => server.hgetall(key));
}
