import { setTimeout as pause } from 'node:timers/promises';
import type { RedisNode } from '../servers/redis-node.ts';
import type { Run } from '../suite/scenario.ts';

const LONGEST_MS = 1_500;

/**
 * Each link is cut, stalled or left alone, as the seed decides, for up to 1.5 s, and stays so; at least one is touched.
 */
export async function breakLinks(primary: RedisNode, replicas: readonly RedisNode[], run: Run): Promise<void> {
  const must = Math.floor(run.random() * replicas.length);
  for (const [at, replica] of replicas.entries()) {
    const dice = run.random();
    if (at !== must && dice < 1 / 3) continue;
    const how = dice < 2 / 3 ? 'cut' : 'stall';
    run.say(`${how}: the link of ${replica.port} to ${primary.port}`);
    primary.link[how](replica.announcedPort);
  }
  await pause(LONGEST_MS * (0.2 + 0.8 * run.random()));
}
