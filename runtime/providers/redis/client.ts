import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress } from './redis-url.ts';
import { COUNTED_KEYS, type RawEntry, SCRIPTS, type ScriptCommands } from './scripts.ts';

/** The commands that the provider uses, in the forms in which it uses them. */
interface PlainCommands {
  xadd(key: string, id: '*', field: 'm', payload: string): Promise<string>;
  xadd(key: string, bound: 'MAXLEN', about: '~', entries: number, id: '*', field: 't', text: string): Promise<string>;
  xrange(key: string, from: string, to: '+', count: 'COUNT', entries: number): Promise<RawEntry[]>;
  xrevrange(key: string, from: '+', to: '-', count: 'COUNT', entries: number): Promise<RawEntry[]>;
  pexpire(key: string, ms: number): Promise<number>;
  pexpiretime(key: string): Promise<number>;
  sscan(key: string, cursor: string, count: 'COUNT', members: number): Promise<[cursor: string, members: string[]]>;
  hscan(key: string, cursor: string, count: 'COUNT', fields: number): Promise<[cursor: string, pairs: string[]]>;
  xread(...args: (string | number)[]): Promise<[key: string, entries: RawEntry[]][] | null>;
  get(key: string): Promise<string | null>;
  hget(key: string, field: string): Promise<string | null>;
  hmget(key: string, ...fields: readonly string[]): Promise<(string | null)[]>;
  hgetall(key: string): Promise<Record<string, string>>;
  hsetnx(key: string, field: string, value: string): Promise<number>;
  mget(keys: readonly string[]): Promise<(string | null)[]>;
  set(key: string, value: number): Promise<'OK'>;
  set(key: string, value: number | string, condition: 'NX', answer: 'GET'): Promise<string | null>;
  set(key: string, value: string, expiry: 'PX', ms: number): Promise<'OK'>;
  smismember(key: string, ...members: string[]): Promise<number[]>;
  zrem(key: string, member: string): Promise<number>;
  zcount(key: string, above: string, to: '+inf'): Promise<number>;
  publish(channel: string, message: string): Promise<number>;
  ping(): Promise<string>;
  wait(replicas: number, timeoutMs: number): Promise<number>;
}

export type RedisCommands = PlainCommands & ScriptCommands;

/** A client and the connections behind it. */
export type RedisClient = Redis | Cluster;

/** The client's commands, for both kinds of client. */
export function commandsOf(client: RedisClient): RedisCommands {
  return client as unknown as RedisCommands;
}

interface ClientOptions {
  readonly name: string;
  /** A connection whose command got no answer for this long is replaced; 0 for connections that wait by nature. ms. */
  readonly silenceMs: number;
  /** Called with every connection error; the client reconnects by itself. */
  readonly report: (problem: string, cause: unknown) => void;
}

const CONNECT_TIMEOUT_MS = 2000;
const LONGEST_PAUSE_MS = 500;
const CLOSE_TIMEOUT_MS = 1000;

function pauseMs(attempts: number): number {
  return Math.min(LONGEST_PAUSE_MS, 25 * 2 ** Math.min(attempts, 10));
}

/**
 * No command is ever sent twice: a command whose connection is lost before its answer fails (its outcome is unknown),
 * and commands that wait for a connection fail with each failed attempt to connect, so that they cannot pile up.
 */
function connectionOptions(address: RedisAddress, options: ClientOptions): RedisOptions {
  return {
    ...address.options,
    connectionName: options.name,
    connectTimeout: CONNECT_TIMEOUT_MS,
    disconnectTimeout: 200,
    ...(options.silenceMs > 0 && { socketTimeout: options.silenceMs }),
    autoResendUnfulfilledCommands: false,
    // ioredis would not handle a failure to subscribe again; `Subscriptions` subscribes and handles it.
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    // The server is a replica that was a primary until a moment ago: the client must find the new one.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    // Replies are flat arrays and strings, which protocol 2 carries with the least to parse.
    protocol: 2,
    disableClientInfo: true,
  };
}

/** The clients that were closed and must not connect again. */
const closed = new WeakSet<RedisClient>();

/** A client of one server, which connects at once and keeps connecting until `closeClient`. */
export function createServerClient(address: RedisAddress, options: ClientOptions): Redis {
  const client = createOneShotClient(address, options);
  client.on('end', () => keepConnecting(client));
  return client;
}

/**
 * A client that looks for the primary comes to its end for good when Sentinels announce another one meanwhile, or when
 * it is told to connect anew: ioredis takes its own interruption of the search for one that was asked for.
 */
function keepConnecting(client: Redis): void {
  setTimeout(() => {
    if (!closed.has(client) && client.status === 'end') client.connect().catch(() => {});
  }, pauseMs(1)).unref();
}

/** A client of one server that does not connect again once it has ended. */
export function createOneShotClient(address: RedisAddress, options: ClientOptions): Redis {
  const client = new Redis({
    ...connectionOptions(address, options),
    ...whereabouts(address),
    retryStrategy: pauseMs,
    scripts: { ...SCRIPTS },
  });
  client.on('error', (error) => options.report('connection to Redis', error));
  return client;
}

function whereabouts({ nodes, master, sentinelOptions }: RedisAddress): RedisOptions {
  if (master === undefined) return { host: nodes[0]!.host, port: nodes[0]!.port };
  return {
    ...sentinelOptions,
    sentinels: [...nodes],
    name: master,
    sentinelRetryStrategy: pauseMs,
    sentinelCommandTimeout: CONNECT_TIMEOUT_MS,
    // When a Sentinel learns of another primary, this client reconnects at once, and not only when the old primary
    // disappears.
    failoverDetector: true,
  };
}

/** A client of a Redis Cluster, which connects at once and keeps connecting. */
export function createClusterClient(address: RedisAddress, options: ClientOptions): Cluster {
  const client = new Cluster([...address.nodes], {
    redisOptions: { ...connectionOptions(address, options), scripts: { ...SCRIPTS } },
    clusterRetryStrategy: pauseMs,
    // A command that may have taken effect is not sent again (see above); MOVED, ASK and CLUSTERDOWN had no effect.
    retryDelayOnFailover: 0,
    slotsRefreshInterval: 5000,
    // The commands of a turn of the event loop go to each node in one write.
    enableAutoPipelining: true,
    autoPipeliningIgnoredCommands: [...COUNTED_KEYS],
    scripts: { ...SCRIPTS },
  });
  client.on('error', (error) => options.report('connection to the Redis Cluster', error));
  client.on('node error', (error) => options.report('connection to a node of the Redis Cluster', error));
  return client;
}

/** A connection to any node of the cluster that answers. It ends for good when that node does. */
export function createAnyNodeClient(cluster: Cluster, address: RedisAddress, options: ClientOptions): Redis {
  const nodes = readyFirst(cluster);
  const { host, port } = nodes[0]?.options ?? address.nodes[Math.floor(Math.random() * address.nodes.length)]!;
  const client = new Redis({ ...connectionOptions(address, options), host: host!, port: port!, retryStrategy: null });
  client.on('error', (error) => options.report('connection to a node of the Redis Cluster', error));
  return client;
}

/** The cluster's primaries in random order, connected ones first. */
export function readyFirst(cluster: Cluster): Redis[] {
  const nodes = cluster
    .nodes('master')
    .map((node) => ({ node, order: Math.random() - (node.status === 'ready' ? 1 : 0) }));
  return nodes.sort((a, b) => a.order - b.order).map(({ node }) => node);
}

/** Resolves once the client can take commands; rejects with the last error when `timeoutMs` pass first. */
export async function whenReady(client: RedisClient, timeoutMs: number): Promise<void> {
  if (client.status === 'ready') return;
  let lastError: unknown = new Error('no answer');
  await new Promise<void>((resolve, reject) => {
    const noteError = (error: unknown) => {
      lastError = error;
    };
    const done = (settle: () => void) => {
      clearTimeout(timer);
      client.off('ready', ready);
      client.off('error', noteError);
      settle();
    };
    const ready = () => done(resolve);
    const timer = setTimeout(() => done(() => reject(lastError)), timeoutMs);
    client.on('error', noteError);
    client.once('ready', ready);
  });
}

/** Closes the client's connections; resolves when they are gone. */
export async function closeClient(client: RedisClient): Promise<void> {
  closed.add(client);
  const connected = ['ready', 'connect', 'connecting'].includes(client.status);
  const gone = new Promise<void>((resolve) => {
    client.once('end', resolve);
    setTimeout(resolve, CLOSE_TIMEOUT_MS).unref();
  });
  client.disconnect();
  // A client that is between two attempts to connect stops without an event.
  if (connected) await gone;
}
