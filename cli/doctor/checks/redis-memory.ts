import type { InspectedRedis } from '#runtime/providers/redis/inspect-servers';
import { type Finding, fail, warn } from '../finding.ts';

/** From this share of its memory on, a log takes nothing of producers (`headroom` of `openRedisLog`). */
const REFUSED_FROM = 0.9;
/** From this share on, the alert ExchangeRedisMemoryShort rings. */
const SHORT_FROM = 0.75;

const TODO = 'give it more (maxmemory), and see docs/runbook/ExchangeRedisMemoryShort.md';

type Memory = Pick<InspectedRedis, 'where' | 'memoryUsed' | 'evicts'>;

/**
 * What it means how full a server with a log is. `refused`: what follows where producers are refused, as a sentence.
 */
export function judgeMemoryOfLog(server: Memory, refused: string): Finding[] {
  const full = judgeMemory(server, refused);
  if (full.length > 0 || server.memoryUsed < SHORT_FROM) return full;
  const found = foundOf(server);
  if (server.memoryUsed >= REFUSED_FROM) return [fail(found, `it takes no messages of producers: ${refused}`, TODO)];
  return [warn(found, 'from 90 % on it takes no messages of producers', TODO)];
}

/** What it means that a server's memory is used up; nothing where it is not, or where the server evicts. */
export function judgeMemory(server: Memory, refused: string): Finding[] {
  if (server.memoryUsed < 1 || server.evicts) return [];
  return [fail(foundOf(server), `it refuses all writes (noeviction): ${refused}`, TODO)];
}

function foundOf({ where, memoryUsed }: Memory): string {
  return `${where}: it uses ${Math.floor(100 * memoryUsed)} % of its maxmemory`;
}
