import type { Redis } from 'ioredis';

/** What a Redis server has done since its start. */
export interface RedisUse {
  readonly cpuSeconds: number;
  /** Calls by command; those that scripts make are among them. */
  readonly calls: ReadonlyMap<string, number>;
  readonly usedBytes: number;
}

export async function redisUse(redis: Redis): Promise<RedisUse> {
  const info = await redis.info('everything');
  const calls = new Map<string, number>();
  for (const [, command, count] of info.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)) calls.set(command!, Number(count));
  const number = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)![1]);
  return {
    cpuSeconds: number('used_cpu_sys') + number('used_cpu_user'),
    calls,
    usedBytes: number('used_memory'),
  };
}

/** The calls between two looks, the most frequent first. */
export function callsBetween(before: RedisUse, after: RedisUse): [command: string, calls: number][] {
  const calls = [...after.calls].map(([name, count]): [string, number] => [
    name,
    count - (before.calls.get(name) ?? 0),
  ]);
  return calls.filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a);
}
