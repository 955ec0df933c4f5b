import { LogUnavailable } from '#runtime/ports/errors';
import { latestOf, type Position, START } from '#runtime/ports/position';
import type { PlacesOf, Repartitioning } from '#runtime/ports/repartitioning';
import { closeClient } from '../client.ts';
import { cannotOpenLog, connectLog } from '../connect-log.ts';
import { Keys } from '../keys.ts';
import type { RedisLogOptions } from '../open-redis-log.ts';
import { parseRedisUrl } from '../redis-url.ts';
import { copyIds } from './copied-ids.ts';
import { clockOf, logUsers } from './log-users.ts';
import { serverIdentity } from './server-identity.ts';
import { openSourcesOf, writeOffInNewPartitions } from './written-off-sources.ts';

type RedisRepartitioningOptions = Pick<RedisLogOptions, 'url' | 'replication' | 'connectTimeoutMs'> & {
  readonly prefix: string;
};

const REQUEST_TIMEOUT_MS = 10_000;

/**
 * Opens a stopped log in Redis that is to get more partitions. Unlike a process of the exchange it listens to nothing
 * and makes nothing. What it writes waits for replicas where the log does.
 *
 * @throws {LogUnavailable} when Redis cannot be reached
 * @throws {LogUnsafe} when its servers are not those in sync
 */
export async function openRedisRepartitioning(options: RedisRepartitioningOptions): Promise<Repartitioning> {
  const { replication, connectTimeoutMs = 10_000 } = options;
  const keys = new Keys(options.prefix);
  const connection = connectLog(parseRedisUrl(options.url), keys.prefix, {
    ...{ name: `${keys.prefix}-partitions`, requestTimeoutMs: REQUEST_TIMEOUT_MS, replication },
    report: () => {},
  });
  const { main, clients, requests, replicated, routes } = connection;
  const close = async () => {
    replicated?.close();
    requests.close();
    await Promise.all(clients.map(closeClient));
  };
  let identity: string;
  try {
    await connection.ready(connectTimeoutMs);
    identity = await serverIdentity(main, requests);
  } catch (cause) {
    await close();
    throw cannotOpenLog(cause);
  }
  const all = <T>(partitions: number, each: (partition: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: partitions }, (_, partition) => each(partition)));

  async function partitions(): Promise<number | null> {
    const kept = await routes.of(keys.partitions()).runReplicated((server) => server.get(keys.partitions()));
    return kept === null ? null : Number(kept);
  }

  async function cursorOf(partition: number): Promise<Position> {
    const lease = keys.lease(partition);
    return (await routes.of(lease).runReplicated((server) => server.hget(lease, 'cursor'))) ?? START;
  }

  async function isUndrained(partition: number): Promise<boolean> {
    const stream = keys.stream(partition);
    const cursor = await cursorOf(partition);
    const [next] = await routes
      .of(stream)
      .runReplicated((server) => server.xrange(stream, `(${cursor}`, '+', 'COUNT', 1));
    return next !== undefined;
  }

  return {
    partitions,
    users: async () => logUsers(connection, keys, (await partitions()) ?? 0),
    async undrained() {
      const isLeft = await all((await partitions()) ?? 0, isUndrained);
      return [...isLeft.keys()].filter((partition) => isLeft[partition]);
    },
    openSources: async () => openSourcesOf(routes, keys, (await partitions()) ?? 0),
    async highest(count) {
      const positions = await all(count, async (partition) => {
        const stream = keys.stream(partition);
        const [last] = await routes.of(stream).runReplicated((server) => server.partitionTail(stream));
        return [last, await cursorOf(partition)];
      });
      return latestOf(positions.flat());
    },
    nowMs: async (count) => Math.max(...(await all(count, (partition) => clockOf(routes, keys, partition)))),
    async raise(count, position) {
      await all(count, async (partition) => {
        const [lease, stream] = [keys.lease(partition), keys.stream(partition)];
        const raised = await routes
          .of(stream)
          .runReplicated((server) => server.raiseFreePartition(lease, stream, position));
        if (raised === 0) throw new LogUnavailable(`partition ${partition} has come into use meanwhile`);
      });
      await writeOffInNewPartitions(routes, keys, (await partitions()) ?? 0, count);
    },
    copyIds: (count: number, placesOf: PlacesOf) => copyIds({ main, requests, routes, keys }, count, placesOf),
    async settle(count) {
      if ((await serverIdentity(main, requests)) !== identity) {
        throw new LogUnavailable('another Redis server has become a primary meanwhile: run it again');
      }
      await routes.of(keys.partitions()).runReplicated((server) => server.set(keys.partitions(), count));
    },
    close,
  };
}
