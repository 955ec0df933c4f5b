import type { Redis } from 'ioredis';
import type { ServerName } from './in-sync-set.ts';

/** What a primary says of itself. */
export interface PrimaryRole {
  /** Bytes of the replication stream so far. */
  readonly offset: number;
  /** Replicas whose link stands: up to where each has acknowledged the stream. */
  readonly replicas: ReadonlyMap<ServerName, number>;
}

/** As ROLE answers it; undefined of a server that is no primary. */
export async function askRole(client: Redis): Promise<PrimaryRole | undefined> {
  const [role, offset, replicas] = (await client.role()) as [string, number, [string, string, string][]];
  if (role !== 'master') return undefined;
  return {
    offset: Number(offset),
    replicas: new Map(replicas.map(([ip, port, acknowledged]) => [`${ip}:${port}`, Number(acknowledged)])),
  };
}
