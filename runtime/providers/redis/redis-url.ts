import type { RedisOptions } from 'ioredis';

/** Where Redis is. */
export interface RedisAddress {
  /** The server; or nodes of a Redis Cluster, from which the others are found. */
  readonly nodes: readonly { readonly host: string; readonly port: number }[];
  readonly cluster: boolean;
  readonly options: Pick<RedisOptions, 'username' | 'password' | 'db' | 'tls'>;
}

/**
 * Reads `redis[s]://[user:password@]host[:port][/db]`. A Redis Cluster is several of these (the scheme may be left out
 * after the first) with commas between them, or one with `?cluster=true`. User, password and TLS are those of the first.
 * @throws {RangeError} saying what is wrong, without the password.
 */
export function parseRedisUrl(text: string): RedisAddress {
  const urls = text
    .split(',')
    .map((part) => part.trim())
    .map((part) => parseOne(part.includes('://') ? part : `redis://${part}`));
  const first = urls[0]!;
  const cluster = urls.length > 1 || urls.some((url) => url.searchParams.get('cluster') === 'true');
  const db = Number(first.pathname.slice(1) || 0);
  if (!Number.isInteger(db) || db < 0)
    throw new RangeError(`REDIS_URL: "${first.pathname}" is no number of a database`);
  if (cluster && db !== 0) throw new RangeError('REDIS_URL: a Redis Cluster has no database but 0');
  return {
    nodes: urls.map((url) => ({ host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 6379) })),
    cluster,
    options: {
      ...(first.username && { username: decodeURIComponent(first.username) }),
      ...(first.password && { password: decodeURIComponent(first.password) }),
      ...(db && { db }),
      ...(first.protocol === 'rediss:' && { tls: { servername: first.hostname } }),
    },
  };
}

function parseOne(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url?.hostname || !['redis:', 'rediss:'].includes(url.protocol)) {
    const shown = text.replace(/\/\/.*@/, '//…@');
    throw new RangeError(`REDIS_URL: "${shown}" is not of the form redis[s]://[user:password@]host[:port][/db]`);
  }
  return url;
}
