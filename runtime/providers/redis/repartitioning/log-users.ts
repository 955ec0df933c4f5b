import { Cluster, type Redis } from 'ioredis';
import type { RedisClient } from '../client.ts';
import type { CommandRunner } from '../command-runner.ts';
import type { Keys } from '../keys.ts';
import type { Routes } from '../routes.ts';

/**
 * What uses a log, in words. Each process that has a log open, of whatever role, listens to its catalogue's channel; a
 * process that is cut off from Redis is known by its membership and leases until they end.
 */
export async function logUsers(
  { main, requests, routes }: { readonly main: RedisClient; readonly requests: CommandRunner; readonly routes: Routes },
  keys: Keys,
  partitions: number,
): Promise<string[]> {
  const users: string[] = [];
  const nodes: Redis[] = main instanceof Cluster ? main.nodes('all') : [main];
  const channel = keys.catalogueChannel();
  const listening = await Promise.all(nodes.map((node) => requests.run(() => node.pubsub('NUMSUB', channel))));
  const open = listening.reduce<number>((sum, answer) => sum + Number((answer as unknown[])[1] ?? 0), 0);
  if (open > 0) users.push(`${open} processes have it open`);

  const { run } = routes.of(keys.members());
  const nowMs = await clockOf(routes, keys, 0);
  let members = 0;
  for (const group of [keys.members(), keys.unfitMembers()]) {
    members += await run((server) => server.zcount(group, `(${nowMs}`, '+inf'));
  }
  if (members > 0) users.push(`${members} processes with actors are alive, or were some seconds ago`);

  const owned = await Promise.all(
    Array.from({ length: partitions }, async (_, partition) => {
      const key = keys.lease(partition);
      const [owner, expires] = await routes.of(key).run((server) => server.hmget(key, 'owner', 'expires'));
      return owner != null && Number(expires) > (await clockOf(routes, keys, partition));
    }),
  );
  const count = owned.filter(Boolean).length;
  if (count > 0) users.push(`${count} partitions are owned`);
  return users;
}

/** The clock of the server that has the partition, ms since the epoch. */
export async function clockOf(routes: Routes, keys: Keys, partition: number): Promise<number> {
  const stream = keys.stream(partition);
  const [, , , nowMs] = await routes.of(stream).run((server) => server.partitionTail(stream));
  return nowMs;
}
