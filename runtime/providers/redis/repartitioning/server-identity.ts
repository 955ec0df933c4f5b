import { Cluster, type Redis } from 'ioredis';
import type { RedisClient } from '../client.ts';
import type { CommandRunner } from '../command-runner.ts';
import { serversOf } from '../connect-log.ts';

/**
 * Names the primaries' processes and which slots each has. A walk through keys is complete only if the name at its end
 * is that at its beginning: a promoted replica, or another owner of a slot, walks in another order.
 */
export async function serverIdentity(main: RedisClient, requests: CommandRunner): Promise<string> {
  const names = await Promise.all(
    serversOf(main).map(async (node) => {
      const info = await requests.run(() => node.info('server'));
      return /^run_id:(\w+)/m.exec(info)?.[1] ?? '';
    }),
  );
  return [...names.sort(), main instanceof Cluster ? await slotsOf(serversOf(main)[0]!, requests) : ''].join(' ');
}

/** Each range of slots with its primary; replicas may come and go. */
async function slotsOf(node: Redis, requests: CommandRunner): Promise<string> {
  const ranges = await requests.run(() => node.cluster('SLOTS'));
  return ranges
    .map(([from, to, primary]) => `${from}-${to}@${primary?.[2]}`)
    .sort()
    .join(' ');
}
