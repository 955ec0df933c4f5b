import { Cluster, type Redis } from 'ioredis';
import { closeClient, createClusterClient, createOneShotClient, whenReady } from './client.ts';
import { type DurabilityFinding, durabilityFindings } from './durability.ts';
import { usedPart } from './memory-watch.ts';
import { parseRedisUrl } from './redis-url.ts';
import { askRole } from './replication/role.ts';

const CONNECT_MS = 5_000;
/** How long replicas have to acknowledge what they were sent before the question. */
const WAIT_MS = 1_000;

/** What a Redis server, or one primary of several, says of itself. */
export interface InspectedRedis {
  /** `Redis at host:port`. */
  readonly where: string;
  readonly version: string;
  readonly findings: readonly DurabilityFinding[];
  /** The replicas that are connected; null for a server that is a replica itself. */
  readonly replicas: number | null;
  /** How many of the replicas have acknowledged, within a second, all that they were sent. */
  readonly acknowledging: number;
  /** The share of its `maxmemory` that is used; 0 without one. It may be above 1. */
  readonly memoryUsed: number;
  /** Whether it evicts keys when its memory is used up, where others refuse writes. */
  readonly evicts: boolean;
  /** Its clock less ours, ms, to half of the time that the question took. */
  readonly clockAheadMs: number;
}

/**
 * Asks the server at the URL, or each primary of a cluster, and writes nothing.
 * @throws Error when a server does not answer within five seconds, refuses the credentials or is too old
 */
export async function inspectRedis(url: string, waitReplicas: number): Promise<InspectedRedis[]> {
  const address = parseRedisUrl(url);
  const options = { name: 'doctor', silenceMs: CONNECT_MS, report: () => {} };
  const client = address.cluster ? createClusterClient(address, options) : createOneShotClient(address, options);
  try {
    await whenReady(client, CONNECT_MS);
    const servers = client instanceof Cluster ? client.nodes('master') : [client];
    return await Promise.all(servers.map((server) => inspect(server, waitReplicas)));
  } finally {
    await closeClient(client);
  }
}

async function inspect(server: Redis, waitReplicas: number): Promise<InspectedRedis> {
  const durability = await durabilityFindings(server, waitReplicas);
  const role = await askRole(server);
  const replicas = role === undefined ? null : role.replicas.size;
  const acknowledging = replicas ? await server.wait(replicas, WAIT_MS) : 0;
  const memory = await server.info('memory');
  const evicts = !/^maxmemory_policy:noeviction\r?$/m.test(memory);
  const askedAtMs = Date.now();
  const [seconds, micros] = (await server.time()) as [number, number];
  const clockAheadMs = Number(seconds) * 1_000 + Number(micros) / 1_000 - (askedAtMs + Date.now()) / 2;
  return { ...durability, replicas, acknowledging, memoryUsed: usedPart(memory), evicts, clockAheadMs };
}
