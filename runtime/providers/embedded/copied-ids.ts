import { LogUnavailable } from '../../ports/errors.ts';
import type { CommitGroup } from './commit-group.ts';
import type { Environment } from './environment.ts';
import { FINAL } from './idempotency-keys.ts';

type OnceKey = [hour: number, partition: number, id: string];

/** Ids that one commit group reads and copies. */
const BATCH = 500;

/**
 * Copies what the log remembers of each id to the partitions that `placesOf` names, in parts of one commit each. An id
 * that is stored as its hash (see safe-key.ts) is as good as any other: what is computed from it is asked for nowhere,
 * so `placesOf` gets the hash, and must place ids that it does not know everywhere. Resolves with the number of ids
 * read.
 */
export async function copyIdsInFolder(
  environment: Environment,
  group: CommitGroup,
  placesOf: (id: string) => Iterable<number>,
): Promise<number> {
  const { once } = environment;
  let read = 0;
  let after: OnceKey | null = null;
  for (;;) {
    const last: OnceKey | null = after;
    const found: { key: OnceKey; value: string }[] = await group.write(() => {
      // The range includes its start.
      const range = once.getRange(last === null ? { limit: BATCH } : { start: last, limit: BATCH + 1 });
      const entries = [...range].filter(({ key }) => last === null || String(key) !== String(last));
      const copies = new Map<string, { readonly to: OnceKey; readonly value: string }>();
      for (const { key, value } of entries) {
        const [hour, partition, id] = key;
        for (const place of placesOf(id.split(' ', 1)[0]!)) {
          if (place === partition) continue;
          const to: OnceKey = [hour, place, id];
          const known = copies.get(String(to))?.value ?? once.get(to);
          if (known === undefined || value.startsWith(FINAL)) copies.set(String(to), { to, value });
        }
      }
      for (const { to, value } of copies.values()) once.put(to, value);
      return entries;
    }, LogUnavailable);
    read += found.length;
    after = found.at(-1)?.key ?? null;
    if (after === null) return read;
  }
}
