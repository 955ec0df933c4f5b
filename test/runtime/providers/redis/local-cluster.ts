import { Cluster, Redis } from 'ioredis';
import { eventually } from '#test/support/eventually';
import { freePort } from '#test/support/free-port';
import { type RedisServer, startRedisServer } from '#test/support/redis-server';
import { openTcpProxy, type TcpProxy } from '#test/support/tcp-proxy';

const SLOTS = 16384;

/** A Redis Cluster of primaries on loopback. */
export interface LocalCluster {
  readonly servers: readonly RedisServer[];
  /** One before each node, in no order: what the nodes tell clients to connect to. */
  readonly proxies: readonly TcpProxy[];
  /** All nodes, with commas between them. */
  readonly url: string;
  /** A plain client. */
  readonly client: Cluster;
  /** Moves the slot of `key`, with all keys in it, to another node. */
  moveSlotOf(key: string): Promise<void>;
  remove(): Promise<void>;
}

/** `settings` are lines of each node's redis.conf. */
export async function startLocalCluster(
  nodes: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<LocalCluster> {
  const proxies: TcpProxy[] = [];
  const starting = await Promise.allSettled(
    Array.from({ length: nodes }, async () => {
      const port = await freePort();
      const proxy = await openTcpProxy('127.0.0.1', port);
      proxies.push(proxy);
      return startRedisServer({
        port: `${port}`,
        'cluster-enabled': 'yes',
        'cluster-port': `${await freePort()}`,
        'cluster-announce-ip': '127.0.0.1',
        'cluster-announce-port': `${proxy.port}`,
        'cluster-node-timeout': '2000',
        appendfsync: 'everysec',
        ...settings,
      });
    }),
  );
  const servers = starting.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failure = starting.find((one) => one.status === 'rejected');
  if (failure !== undefined) {
    await Promise.all([...servers.map((server) => server.remove()), ...proxies.map((proxy) => proxy.close())]);
    throw failure.reason;
  }
  const clients = servers.map(({ port }) => new Redis({ port }));
  try {
    await Promise.all(
      clients.map(async (client, at) => {
        const first = Math.floor((SLOTS * at) / nodes);
        const last = Math.floor((SLOTS * (at + 1)) / nodes) - 1;
        await client.call('CLUSTER', 'SET-CONFIG-EPOCH', at + 1);
        await client.call('CLUSTER', 'ADDSLOTSRANGE', first, last);
      }),
    );
    const busPort = Number(((await clients[0]!.config('GET', 'cluster-port')) as string[])[1]);
    await Promise.all(
      clients.slice(1).map((client) => client.call('CLUSTER', 'MEET', '127.0.0.1', servers[0]!.port, busPort)),
    );
    await eventually(
      'the cluster to form',
      async () => {
        const facts = await Promise.all(clients.map(async (client) => `${await client.call('CLUSTER', 'INFO')}`));
        return facts.every(
          (fact) => fact.includes('cluster_state:ok') && fact.includes(`cluster_known_nodes:${nodes}`),
        );
      },
      { timeoutMs: 60_000 },
    );
  } finally {
    for (const client of clients) client.disconnect();
  }
  const client = new Cluster(proxies.map(({ port }) => ({ host: '127.0.0.1', port })));
  return {
    servers,
    client,
    url: proxies.map(({ port }) => `redis://127.0.0.1:${port}`).join(','),
    proxies,
    moveSlotOf: (key) => moveSlot(servers, key),
    async remove() {
      client.disconnect();
      await Promise.all(servers.map((server) => server.remove()));
      await Promise.all(proxies.map((proxy) => proxy.close()));
    },
  };
}

async function moveSlot(servers: readonly RedisServer[], key: string): Promise<void> {
  const clients = servers.map(({ port }) => new Redis({ port }));
  try {
    const ids = await Promise.all(clients.map((client) => client.call('CLUSTER', 'MYID') as Promise<string>));
    const slot = (await clients[0]!.call('CLUSTER', 'KEYSLOT', key)) as number;
    const serves = await Promise.all(
      clients.map((client) =>
        client.exists(key).then(
          () => true,
          () => false,
        ),
      ),
    );
    const from = serves.indexOf(true);
    const to = (from + 1) % servers.length;
    await clients[to]!.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', ids[from]!);
    await clients[from]!.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', ids[to]!);
    const keys = (await clients[from]!.call('CLUSTER', 'GETKEYSINSLOT', slot, 1000)) as string[];
    if (keys.length > 0) {
      await clients[from]!.call('MIGRATE', '127.0.0.1', servers[to]!.port, '', 0, 5000, 'KEYS', ...keys);
    }
    for (const at of [to, from]) await clients[at]!.call('CLUSTER', 'SETSLOT', slot, 'NODE', ids[to]!);
  } finally {
    for (const client of clients) client.disconnect();
  }
}
