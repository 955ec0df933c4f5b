import type { Redis } from 'ioredis';
import { mapLimit } from '#async/map-limit';
import type { PlacesOf } from '#runtime/ports/repartitioning';
import type { RedisClient } from '../client.ts';
import type { CommandRunner } from '../command-runner.ts';
import { serversOf } from '../connect-log.ts';
import type { Keys } from '../keys.ts';
import type { Routes } from '../routes.ts';

/** What one hour of issue of a partition remembers, one key each. */
type Memory = 'seen' | 'notes' | 'foreign';

interface MemoryKey {
  readonly key: string;
  readonly partition: number;
  readonly memory: Memory;
  readonly bucketMs: number;
}

interface CopyDeps {
  readonly main: RedisClient;
  readonly requests: CommandRunner;
  readonly routes: Routes;
  readonly keys: Keys;
}

/** Keys, or members of one, that are read at once. */
const READ_AT_ONCE = 2_000;
/** Arguments of one write; a script may have some thousands. */
const WRITTEN_AT_ONCE = 1_000;
/** Keys that are copied at once. Memory holds one read of each. */
const KEYS_AT_ONCE = 4;

/** See {@link Repartitioning.copyIds}. Walks over the keys of each primary, and over each key, in parts. */
export async function copyIds(deps: CopyDeps, partitions: number, placesOf: PlacesOf): Promise<number> {
  let read = 0;
  for (const server of serversOf(deps.main)) {
    for await (const found of memoryKeysOf(server, deps)) {
      const counts = await mapLimit(found, KEYS_AT_ONCE, (key) => copyKey(deps, key, partitions, placesOf));
      read += counts.reduce((sum, count) => sum + count, 0);
    }
  }
  return read;
}

async function* memoryKeysOf(server: Redis, { requests, keys }: CopyDeps): AsyncIterable<MemoryKey[]> {
  const pattern = `{${keys.prefix.replace(/[*?[\]\\^]/g, '\\$&')}:*}:*`;
  let cursor = '0';
  do {
    const [next, found] = await requests.run(() => server.scan(cursor, 'MATCH', pattern, 'COUNT', READ_AT_ONCE));
    yield found.flatMap((key) => parseKey(key, keys) ?? []);
    cursor = next;
  } while (cursor !== '0');
}

function parseKey(key: string, keys: Keys): MemoryKey | null {
  const [, partition, memory, bucketMs] = /:(\d+)\}:(seen|notes|foreign):(\d+)$/.exec(key) ?? [];
  if (memory === undefined) return null;
  const parsed = { key, partition: Number(partition), memory: memory as Memory, bucketMs: Number(bucketMs) };
  // The prefix may be another's that ends like this one.
  return keys[parsed.memory](parsed.partition, parsed.bucketMs) === key ? parsed : null;
}

async function copyKey(
  { routes, keys }: CopyDeps,
  { key, partition, memory, bucketMs }: MemoryKey,
  partitions: number,
  placesOf: PlacesOf,
): Promise<number> {
  const route = routes.of(key);
  const expiresAtMs = await route.run((server) => server.pexpiretime(key));
  const forgetAtMs = expiresAtMs < 0 ? '' : expiresAtMs;
  const step = memory === 'notes' ? 2 : 1;
  let cursor = '0';
  let read = 0;
  do {
    const [next, found] = await route.run((server) =>
      memory === 'notes'
        ? server.hscan(key, cursor, 'COUNT', READ_AT_ONCE)
        : server.sscan(key, cursor, 'COUNT', READ_AT_ONCE),
    );
    cursor = next;
    const copies = new Map<number, string[]>();
    for (let at = 0; at < found.length; at += step) {
      // A mark is stored as `<id> <mark>`.
      const [id] = found[at]!.split(' ', 1) as [string];
      for (const place of placesOf(id, partitions)) {
        if (place === partition) continue;
        const copied = copies.get(place);
        if (copied) copied.push(...found.slice(at, at + step));
        else copies.set(place, found.slice(at, at + step));
      }
    }
    read += found.length / step;
    await Promise.all([...copies].map(([place, copied]) => write(keys[memory](place, bucketMs), copied)));
  } while (cursor !== '0');
  return read;

  async function write(to: string, copied: readonly string[]): Promise<void> {
    for (let at = 0; at < copied.length; at += WRITTEN_AT_ONCE) {
      const part = copied.slice(at, at + WRITTEN_AT_ONCE);
      await routes
        .of(to)
        .runReplicated((server) =>
          memory === 'notes' ? server.copyNotes(to, forgetAtMs, ...part) : server.copyIds(to, forgetAtMs, ...part),
        );
    }
  }
}
