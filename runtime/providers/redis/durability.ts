import type { Redis } from 'ioredis';
import { readConfig } from './read-config.ts';

/** One thing about a server that is not as the exchange needs it. */
export interface DurabilityFinding {
  /**
   * Whether acknowledged writes may be lost by it on a server alone; otherwise it harms when other things fail, too.
   */
  readonly loses: boolean;
  readonly found: string;
  readonly means: string;
  /** What to set; null where `means` says it. */
  readonly todo: string | null;
}

const UNREADABLE: DurabilityFinding = {
  loses: false,
  found: 'its CONFIG cannot be read',
  means: 'make sure of appendonly yes, appendfsync always, maxmemory-policy noeviction and a maxmemory',
  todo: null,
};

/**
 * Warnings about how durable this server makes an acknowledged write (law 12); none when the server is set up as the
 * exchange needs it: append-only file, fsync before every answer, no eviction, a bound of memory, writes that wait for
 * replicas, and in a cluster that the other shards are served while one is unavailable.
 *
 * @throws what the server answers to INFO, or an Error when it is too old.
 */
export async function durabilityWarnings(server: Redis, waitReplicas: number): Promise<string[]> {
  const { where, findings } = await durabilityFindings(server, waitReplicas);
  return findings.map((finding) => `${where}: ${sentenceOf(finding)}`);
}

/** What {@link durabilityWarnings} says, each in its parts, with the server that it says it of. */
export async function durabilityFindings(
  server: Redis,
  waitReplicas: number,
): Promise<{ readonly where: string; readonly version: string; readonly findings: readonly DurabilityFinding[] }> {
  const info = await server.info();
  const fact = (name: string) => info.match(new RegExp(`^${name}:(.*?)\\r?$`, 'm'))?.[1];
  const { host, port } = server.options;
  const where = `Redis at ${host === undefined ? (server.stream as { remoteAddress?: string }).remoteAddress : `${host}:${port}`}`;
  const version = fact('redis_version') ?? '0';
  if (Number.parseInt(version, 10) < 7) throw new Error(`${where} is version ${version}; 7 or later is needed`);

  const findings: DurabilityFinding[] = [];
  if (waitReplicas === 0 && Number(fact('connected_slaves') ?? 0) > 0) {
    findings.push({
      loses: false,
      found: 'it has replicas that writes do not wait for (REDIS_WAIT_REPLICAS)',
      means: 'promoting one may lose acknowledged messages',
      todo: null,
    });
  }
  const settings = await readConfig(server, [...NAMES, ...CLUSTER_SETTINGS]);
  if (!settings) return { where, version, findings: [...findings, UNREADABLE] };
  findings.push(...faultsIn(settings));
  if (settings.get('cluster-enabled') === 'yes' && settings.get('cluster-require-full-coverage') !== 'no') {
    findings.push({
      loses: false,
      found: 'it has cluster-require-full-coverage yes',
      means: 'where one shard is away for all its servers no partition is served',
      todo: 'use no',
    });
  }
  if (settings.get('maxmemory') === '0') {
    findings.push({
      loses: false,
      found: 'it has no maxmemory',
      means: "when the machine's memory ends it is killed, where producers could have been refused",
      todo: 'set at most 75 % of it',
    });
  }
  return { where, version, findings };
}

function sentenceOf({ found, means, todo }: DurabilityFinding): string {
  return `${found}: ${means}${todo === null ? '' : `; ${todo}`}`;
}

const NAMES = ['appendonly', 'appendfsync', 'no-appendfsync-on-rewrite', 'maxmemory-policy', 'maxmemory'];

const CLUSTER_SETTINGS = ['cluster-enabled', 'cluster-require-full-coverage'];

/** The settings by which this server may lose acknowledged writes; empty when they cannot be read. */
export async function durabilityFaults(server: Redis): Promise<string[]> {
  const settings = await readConfig(server, NAMES);
  return settings ? faultsIn(settings).map(sentenceOf) : [];
}

function faultsIn(settings: ReadonlyMap<string, string>): DurabilityFinding[] {
  const faults: DurabilityFinding[] = [];
  const add = (found: string, means: string, todo: string | null) =>
    void faults.push({ loses: true, found, means, todo });
  if (settings.get('appendonly') !== 'yes') {
    add('it keeps no append-only file (appendonly no)', 'a restart loses acknowledged messages', 'use yes');
  } else if (settings.get('appendfsync') !== 'always') {
    const found = `it has appendfsync ${settings.get('appendfsync')}`;
    add(found, 'a crash may lose the last moments of acknowledged messages', 'use always');
  } else if (settings.get('no-appendfsync-on-rewrite') === 'yes') {
    const found = 'it has no-appendfsync-on-rewrite yes';
    add(found, 'a crash during a rewrite loses acknowledged messages', 'use no');
  }
  if (settings.get('maxmemory-policy') !== 'noeviction') {
    const found = `it has maxmemory-policy ${settings.get('maxmemory-policy')}`;
    add(found, 'messages may be evicted unread', 'use noeviction');
  }
  return faults;
}
