import { Cluster, type Redis } from 'ioredis';
import { LogIsNew } from '../../ports/errors.ts';
import type { LogProvider } from '../../ports/log-provider.ts';
import type { SharedRecords } from '../../ports/shared-records.ts';
import { BlockingReader, type ReadFence } from './blocking-reader.ts';
import {
  closeClient,
  commandsOf,
  createAnyNodeClient,
  createOneShotClient,
  createServerClient,
  type RedisClient,
} from './client.ts';
import type { CommandObserver } from './command-observer.ts';
import { cannotOpenLog, connectLog, serversOf } from './connect-log.ts';
import { durabilityWarnings } from './durability.ts';
import { Keys } from './keys.ts';
import { MemoryWatch } from './memory-watch.ts';
import { PollingReader } from './polling-reader.ts';
import { publishAnywhere } from './publish-anywhere.ts';
import { type KeptCatalogue, RedisCatalogueLog } from './redis-catalogue-log.ts';
import { RedisLeaseTable } from './redis-lease-table.ts';
import { RedisMessageLog } from './redis-message-log.ts';
import { RedisRelayedAppends } from './redis-relayed-appends.ts';
import { RedisReplyChannel } from './redis-reply-channel.ts';
import { RedisSharedRecords } from './redis-shared-records.ts';
import { parseRedisUrl } from './redis-url.ts';
import type { ReplicatedLog, ReplicationOptions } from './replication/replicated-log.ts';
import { Subscriptions } from './subscriptions.ts';

export interface RedisLogOptions {
  /** See `parseRedisUrl`: one server, Sentinels, or several nodes of a Redis Cluster with commas between them. */
  readonly url: string;
  /** The prefix of every key, so that several exchanges can share a server. Default `adx`. */
  readonly prefix?: string;
  /**
   * The number of partitions for a log that is used for the first time; an existing log keeps its number. Default 64.
   */
  readonly partitions?: number;
  /** Shown in Redis's list of clients. Default `adx`. */
  readonly name?: string;
  /** Deadline of every command. Default 5,000 ms. */
  readonly requestTimeoutMs?: number;
  /** The maximum time of the first connection. Default 10,000 ms. */
  readonly connectTimeoutMs?: number;
  /** The maximum number of commands that wait for answers; more are rejected. Default 100,000. */
  readonly maxWaiting?: number;
  /** How writes wait for replicas; without it, or with 0 replicas, they do not. */
  readonly replication?: ReplicationOptions;
  /** The share of its memory, between 0 and 1, that Redis does not give to producers. Default 0.1. */
  readonly headroom?: number;
  /** How much of the catalogue log is stored. Default 200,000 entries, of at most 128 MB. */
  readonly keptCatalogue?: KeptCatalogue;
  /** Whether the log must have been used before. Default false. */
  readonly mustBeKnown?: boolean;
  /** Called with connection errors and with errors of listeners. Connections are restored by themselves. */
  readonly report?: (problem: string, cause: unknown) => void;
  readonly observer?: CommandObserver | undefined;
}

/** A log in Redis, and the records beside it. */
export type RedisLogProvider = LogProvider & { readonly records: SharedRecords };

const CLUSTER_PAUSE_MS = 100;
const HEALTH_TIMEOUT_MS = 1000;

/**
 * Opens the message log in Redis 7 or later: one stream for each partition.
 *
 * It uses three connections to one server: for commands, for the blocking read and for channels. In a Redis Cluster:
 * one to each node for commands, and one for channels.
 *
 * @throws {RangeError} when an option is invalid.
 * @throws {LogUnavailable} when Redis cannot be reached within `connectTimeoutMs`, or is too old.
 * @throws {LogIsNew} when `mustBeKnown` is set and the log has never been used.
 */
export async function openRedisLog(options: RedisLogOptions): Promise<RedisLogProvider> {
  const {
    partitions: wanted = 64,
    requestTimeoutMs = 5000,
    connectTimeoutMs = 10_000,
    replication,
    headroom = 0.1,
    report = () => {},
  } = options;
  const keys = new Keys(options.prefix ?? 'adx');
  const address = parseRedisUrl(options.url);
  if (!Number.isInteger(wanted) || wanted < 1) throw new RangeError(`${wanted} partitions: at least 1 is needed`);
  const waitReplicas = replication?.waitReplicas ?? 0;

  const connection = connectLog(address, keys.prefix, {
    ...{ name: options.name ?? 'adx', requestTimeoutMs, maxWaiting: options.maxWaiting, replication, report },
    observer: options.observer,
  });
  const { name, clientOptions, clients, main, requests, replicated, routes } = connection;
  const opened = <C extends RedisClient>(client: C): C => {
    clients.push(client);
    return client;
  };
  const commands = commandsOf(main);
  const memory = new MemoryWatch(() => serversOf(main), headroom, options.observer?.memoryUsed);
  let subscriptions: Subscriptions | undefined;
  try {
    await connection.ready(connectTimeoutMs);
    const count = routes.of(keys.partitions());
    // The number is read before it is set: when memory is short nothing can be set, and a process that starts then must
    // free some.
    const known = await count.runReplicated((server) => server.get(keys.partitions()));
    if (known === null && options.mustBeKnown) throw new LogIsNew('no exchange has used this log');
    const settle = () => count.runReplicated((server) => server.set(keys.partitions(), wanted, 'NX', 'GET'));
    const kept = Number(known ?? (await settle()) ?? wanted);
    const warnings = await Promise.all(
      serversOf(main).map((server) => requests.run(() => durabilityWarnings(server, waitReplicas))),
    ).then((found) => found.flat());
    if (kept !== wanted) {
      warnings.push(`the log has had ${kept} partitions since it was first used; the wish for ${wanted} is ignored`);
    }

    const catalogue = new RedisCatalogueLog(routes, keys, options.keptCatalogue);
    const polling = main instanceof Cluster ? new PollingReader(routes, keys, CLUSTER_PAUSE_MS) : undefined;
    const channelOptions = { ...clientOptions, name: `${name}-channels` };
    const openChannels = () =>
      main instanceof Cluster
        ? createAnyNodeClient(main, address, channelOptions)
        : createOneShotClient(address, channelOptions);
    const channels = new Subscriptions(openChannels, requests, { pulseMs: 2 * requestTimeoutMs, report });
    subscriptions = channels;
    const publish = (channel: string, message: string): Promise<unknown> =>
      main instanceof Cluster
        ? publishAnywhere(main, requests, channel, message)
        : routes.of(channel).run((server) => server.publish(channel, message));
    const ringCatalogue = () => catalogue.notify();
    await channels.subscribe(keys.catalogueChannel(), ringCatalogue, ringCatalogue);
    const ringPolling = () => polling?.notify();
    if (polling) await channels.subscribe(keys.appendedChannel(), ringPolling, ringPolling);
    const reader =
      polling ??
      openBlockingReader(
        opened(createServerClient(address, { ...clientOptions, name: `${name}-reader`, silenceMs: 0 })),
        (client, fence) => new BlockingReader(client, main as Redis, keys, requestTimeoutMs, fence),
        replicated,
      );
    const announce = polling ? announcer(() => publish(keys.appendedChannel(), '')) : () => {};

    void memory.look();
    let closing: Promise<void> | undefined;
    return {
      log: new RedisMessageLog(kept, routes, keys, reader, memory, announce, !(main instanceof Cluster)),
      relayed: new RedisRelayedAppends(routes, keys, kept, memory, announce),
      leases: new RedisLeaseTable(routes, keys),
      records: new RedisSharedRecords(routes, keys),
      catalogue,
      replies: new RedisReplyChannel(publish, keys, channels),
      warnings,
      healthy: async () => routes.refusal === undefined && answers(() => requests.run(() => commands.ping())),
      close() {
        closing ??= (async () => {
          replicated?.close();
          memory.close();
          reader.close();
          catalogue.close();
          requests.close();
          await Promise.all([channels.close(), ...clients.map(closeClient)]);
        })();
        return closing;
      },
    };
  } catch (cause) {
    replicated?.close();
    memory.close();
    requests.close();
    await Promise.all([subscriptions?.close(), ...clients.map(closeClient)]);
    throw cannotOpenLog(cause);
  }
}

/** Its connection may lead to another server than that of the commands, so it has a link of its own. */
function openBlockingReader(
  client: Redis,
  reader: (client: Redis, fence?: ReadFence) => BlockingReader,
  replicated: ReplicatedLog | undefined,
): BlockingReader {
  const link = replicated?.linkOf(client);
  return reader(client, link && ((read) => link.fenced(read)));
}

/** Notifies readers that partitions have grown, once for all appends of one turn of the event loop. */
function announcer(publish: () => Promise<unknown>): () => void {
  let due = false;
  return () => {
    if (due) return;
    due = true;
    setImmediate(() => {
      due = false;
      // A lost notification only costs the readers a pause.
      publish().catch(() => {});
    });
  };
}

async function answers(ping: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), HEALTH_TIMEOUT_MS);
  });
  const answered = ping().then(
    () => true,
    () => false,
  );
  return Promise.race([answered, late]).finally(() => clearTimeout(timer));
}
