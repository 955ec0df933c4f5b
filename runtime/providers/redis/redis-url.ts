import type { RedisOptions } from 'ioredis';

interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** The address of Redis. */
export interface RedisAddress {
  /**
   * The server; or some nodes of a Redis Cluster, from which the others are found; or Sentinels, which name the
   * primary.
   */
  readonly nodes: readonly HostAndPort[];
  readonly cluster: boolean;
  /** Sentinel's name of the primary; undefined without Sentinel. */
  readonly master?: string;
  readonly options: Pick<RedisOptions, 'username' | 'password' | 'db' | 'tls'>;
  readonly sentinelOptions?: Pick<RedisOptions, 'sentinelUsername' | 'sentinelPassword' | 'enableTLSForSentinelMode'>;
}

const SENTINEL_URL = /^redis(s?)\+sentinel:\/\/(?:(.*)@)?([^/@?]+)\/([^/?]+)(?:\/([^/?]*))?\/?(?:\?(.*))?$/;
const SENTINEL_FORM =
  'redis[s]+sentinel://[user:password@]host[:port],host[:port]/<name of the primary>[/db][?sentinel_password=…]';

/**
 * Parses `redis[s]://[user:password@]host[:port][/db]`. A Redis Cluster is several of these (the scheme may be omitted
 * after the first) with commas between them, or one with `?cluster=true`. User, password and TLS are those of the
 * first.
 *
 * Also parses `redis[s]+sentinel://[user:password@]host[:port],…/<name of the primary>[/db]`: user, password and TLS
 * are those of the servers; the Sentinels' own are `?sentinel_username=…&sentinel_password=…`, and
 * `&sentinel_tls=true`.
 *
 * @throws {RangeError} with what is wrong, without the password.
 */
export function parseRedisUrl(text: string): RedisAddress {
  if (/^rediss?\+sentinel:/.test(text)) return parseSentinelUrl(text);
  const urls = text
    .split(',')
    .map((part) => part.trim())
    .map((part) => parseOne(part.includes('://') ? part : `redis://${part}`));
  const first = urls[0]!;
  const cluster = urls.length > 1 || urls.some((url) => url.searchParams.get('cluster') === 'true');
  const db = database(first.pathname.slice(1));
  if (cluster && db !== 0) throw new RangeError('REDIS_URL: a Redis Cluster has no database but 0');
  return {
    nodes: urls.map((url) => ({ host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 6379) })),
    cluster,
    options: {
      ...credentials(first.username, first.password),
      ...(db && { db }),
      ...(first.protocol === 'rediss:' && { tls: { servername: first.hostname } }),
    },
  };
}

function parseSentinelUrl(text: string): RedisAddress {
  const [, secure, user, hosts, master, db, search] = SENTINEL_URL.exec(text) ?? [];
  if (hosts === undefined || master === undefined) {
    throw new RangeError(`REDIS_URL: "${hidden(text)}" is not of the form ${SENTINEL_FORM}`);
  }
  const [username = '', ...password] = (user ?? '').split(':');
  const parameters = new URLSearchParams(search);
  const nodes = hosts.split(',').map((host) => {
    const url = parseOne(`redis://${host.trim()}`);
    return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 26379) };
  });
  const number = database(db ?? '');
  const [sentinelUsername, sentinelPassword] = ['sentinel_username', 'sentinel_password'].map((name) =>
    parameters.get(name),
  );
  return {
    nodes,
    cluster: false,
    master: decodeURIComponent(master),
    options: {
      ...credentials(username, password.join(':')),
      ...(number && { db: number }),
      ...(secure && { tls: {} }),
    },
    sentinelOptions: {
      ...(sentinelUsername && { sentinelUsername }),
      ...(sentinelPassword && { sentinelPassword }),
      ...(parameters.get('sentinel_tls') === 'true' && { enableTLSForSentinelMode: true }),
    },
  };
}

function credentials(username: string, password: string): Pick<RedisOptions, 'username' | 'password'> {
  return {
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
  };
}

function database(text: string): number {
  const db = Number(text || 0);
  if (!Number.isInteger(db) || db < 0) throw new RangeError(`REDIS_URL: "/${text}" is no number of a database`);
  return db;
}

function hidden(text: string): string {
  return text.replace(/\/\/.*@/, '//…@').replace(/password=[^&]*/g, 'password=…');
}

function parseOne(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url?.hostname || !['redis:', 'rediss:'].includes(url.protocol)) {
    throw new RangeError(`REDIS_URL: "${hidden(text)}" is not of the form redis[s]://[user:password@]host[:port][/db]`);
  }
  return url;
}
