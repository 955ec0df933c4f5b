import type { Redis } from 'ioredis';
import { readConfig } from './read-config.ts';

const UNREADABLE =
  'its CONFIG cannot be read: make sure of appendonly yes, appendfsync always, maxmemory-policy noeviction and a maxmemory';

/**
 * Warnings about how durable this server makes an acknowledged write (law 12); none when the server is set up as the
 * exchange needs it: append-only file, fsync before every answer, no eviction, a bound of memory, writes that wait for
 * replicas, and in a cluster that the other shards are served while one is unavailable.
 *
 * @throws what the server answers to INFO, or an Error when it is too old.
 */
export async function durabilityWarnings(server: Redis, waitReplicas: number): Promise<string[]> {
  const info = await server.info();
  const fact = (name: string) => info.match(new RegExp(`^${name}:(.*?)\\r?$`, 'm'))?.[1];
  const { host, port } = server.options;
  const where = `Redis at ${host === undefined ? (server.stream as { remoteAddress?: string }).remoteAddress : `${host}:${port}`}`;
  const version = fact('redis_version') ?? '0';
  if (Number.parseInt(version, 10) < 7) throw new Error(`${where} is version ${version}; 7 or later is needed`);

  const warnings: string[] = [];
  if (waitReplicas === 0 && Number(fact('connected_slaves') ?? 0) > 0) {
    warnings.push(
      'it has replicas that writes do not wait for (REDIS_WAIT_REPLICAS): promoting one may lose acknowledged messages',
    );
  }
  const settings = await readConfig(server, [...NAMES, ...CLUSTER_SETTINGS]);
  if (!settings) warnings.push(UNREADABLE);
  else {
    warnings.push(...faultsIn(settings));
    if (settings.get('cluster-enabled') === 'yes' && settings.get('cluster-require-full-coverage') !== 'no') {
      warnings.push(
        'it has cluster-require-full-coverage yes: where one shard is away for all its servers no partition is served; use no',
      );
    }
    if (settings.get('maxmemory') === '0') {
      warnings.push(
        "it has no maxmemory: when the machine's memory ends it is killed, where producers could have been refused; set at most 75 % of it",
      );
    }
  }
  return warnings.map((warning) => `${where}: ${warning}`);
}

const NAMES = ['appendonly', 'appendfsync', 'no-appendfsync-on-rewrite', 'maxmemory-policy', 'maxmemory'];

const CLUSTER_SETTINGS = ['cluster-enabled', 'cluster-require-full-coverage'];

/** The settings by which this server may lose acknowledged writes; empty when they cannot be read. */
export async function durabilityFaults(server: Redis): Promise<string[]> {
  const settings = await readConfig(server, NAMES);
  return settings ? faultsIn(settings) : [];
}

function faultsIn(settings: ReadonlyMap<string, string>): string[] {
  const faults: string[] = [];
  if (settings.get('appendonly') !== 'yes') {
    faults.push('it keeps no append-only file (appendonly no): a restart loses acknowledged messages');
  } else if (settings.get('appendfsync') !== 'always') {
    faults.push(
      `it has appendfsync ${settings.get('appendfsync')}: a crash may lose the last moments of acknowledged messages; use always`,
    );
  } else if (settings.get('no-appendfsync-on-rewrite') === 'yes') {
    faults.push('it has no-appendfsync-on-rewrite yes: a crash during a rewrite loses acknowledged messages; use no');
  }
  if (settings.get('maxmemory-policy') !== 'noeviction') {
    faults.push(
      `it has maxmemory-policy ${settings.get('maxmemory-policy')}: messages may be evicted unread; use noeviction`,
    );
  }
  return faults;
}
