import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { StateStore } from '#runtime/ports/store';
import { openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { eventually } from '#test/support/eventually';
import { type RedisServer, startRedisServer } from '#test/support/redis-server';
import { openTcpProxy, type TcpProxy } from '#test/support/tcp-proxy';

/** A replica, and its link to the primary. */
export interface Replica {
  readonly server: RedisServer;
  /** As its primary knows it. */
  readonly name: string;
  readonly link: TcpProxy;
  readonly direct: Redis;
}

/** A primary with replicas on loopback, and a store beside them. */
export interface ReplicatedServers {
  readonly primary: RedisServer;
  readonly name: string;
  readonly direct: Redis;
  readonly replicas: readonly Replica[];
  readonly store: StateStore;
  /** Resolves when so many replicas are attached. */
  attached(replicas: number): Promise<void>;
  remove(): Promise<void>;
}

export async function startReplicatedServers(replicas: number): Promise<ReplicatedServers> {
  const folder = await mkdtemp(join(tmpdir(), 'exchange-replicated-'));
  const embedded = await openEmbedded({ folder, partitions: 4, clock: systemClock });
  // A link that is cut is noticed, and made anew, within a second or two.
  const settings = { 'repl-diskless-sync-delay': '0', 'repl-ping-replica-period': '1', 'repl-timeout': '60' };
  const primary = await startRedisServer(settings);
  const direct = new Redis(primary.url);
  const started = await Promise.all(
    Array.from({ length: replicas }, async () => {
      const link = await openTcpProxy('127.0.0.1', primary.port);
      const server = await startRedisServer({ ...settings, replicaof: `127.0.0.1 ${link.port}` });
      return { server, link, name: `127.0.0.1:${server.port}`, direct: new Redis(server.url) };
    }),
  );
  const attached = async (count: number) => {
    await eventually(`${count} replicas to be attached`, async () => {
      const [, , present] = (await direct.role()) as [string, number, unknown[]];
      return present.length === count;
    });
  };
  await attached(replicas);
  return {
    primary,
    name: `127.0.0.1:${primary.port}`,
    direct,
    replicas: started,
    store: embedded.store,
    attached,
    async remove() {
      direct.disconnect();
      for (const replica of started) replica.direct.disconnect();
      await Promise.all(started.map(({ link }) => link.close()));
      await Promise.all([primary, ...started.map(({ server }) => server)].map((server) => server.remove()));
      await embedded.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
