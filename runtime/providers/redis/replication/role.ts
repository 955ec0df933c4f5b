import type { Redis } from 'ioredis';
import type { ServerName } from './in-sync-set.ts';

/** The state of a primary as it reports it. */
export interface PrimaryRole {
  /** Bytes of the replication stream so far. */
  readonly offset: number;
  /** The connected replicas, with the offset of the stream that each has acknowledged. */
  readonly replicas: ReadonlyMap<ServerName, number>;
}

/** Reads the role with ROLE; undefined when the server is not a primary. */
export async function askRole(client: Redis): Promise<PrimaryRole | undefined> {
  const [role, offset, replicas] = (await client.role()) as [string, number, [string, string, string][]];
  if (role !== 'master') return undefined;
  return {
    offset: Number(offset),
    replicas: new Map(replicas.map(([ip, port, acknowledged]) => [`${ip}:${port}`, Number(acknowledged)])),
  };
}
