import type { InspectedRedis } from '#runtime/providers/redis/inspect-servers';
import type { Settings } from '#settings';
import type { Check } from '../check.ts';
import { type Finding, fail, ok, warn } from '../finding.ts';
import { judgeMemory, judgeMemoryOfLog } from './redis-memory.ts';

/** How durable Redis keeps what was acknowledged (docs/reliability.md). */
export const redis: Check = {
  name: 'redis',
  async find({ redisUrl, redisWaitReplicas, redisMinReplicas }) {
    if (redisUrl === null) return [ok('not used: the log is embedded, in DATA_DIR')];
    const asked = {
      ...{ setting: 'REDIS_URL', url: redisUrl, waitReplicas: redisWaitReplicas },
      away: 'no process starts, and running ones refuse what must be kept',
    };
    return inspected(asked, (server) => judge(server, 'REDIS_URL', { redisWaitReplicas, redisMinReplicas }));
  },
};

/** The log of a region's own acknowledges impressions as that at home does. */
export const regionRedis: Check = {
  name: 'redis of region',
  async find({ regionRedisUrl, roles }) {
    if (regionRedisUrl === null) return [ok('not used: impressions go to the log of all others')];
    if (!roles.has('edge')) return [ok('not used: this process has no role edge')];
    const asked = {
      ...{ setting: 'REGION_REDIS_URL', url: regionRedisUrl, waitReplicas: 0 },
      away: 'no edge of the region starts, and running ones spool impressions',
    };
    return inspected(asked, (server) =>
      judge(server, 'REGION_REDIS_URL', { redisWaitReplicas: 0, redisMinReplicas: 0 }),
    );
  },
};

/** What the edges of a region count together expires by itself, and may be lost. */
export const edgeRedis: Check = {
  name: 'redis of edges',
  async find({ redisUrl, regionRedisUrl, edgeRedisUrl, roles }) {
    if (edgeRedisUrl === null) return [ok('not used: one process counts for itself')];
    if (!roles.has('edge')) return [ok('not used: this process has no role edge')];
    if (edgeRedisUrl === redisUrl) return [ok('the same as REDIS_URL')];
    if (edgeRedisUrl === regionRedisUrl) return [ok('the same as REGION_REDIS_URL')];
    const away = 'campaigns with frequency caps sell nothing, and the notice of a win may be sent twice';
    const asked = { setting: 'EDGE_REDIS_URL', url: edgeRedisUrl, waitReplicas: 0, away };
    return inspected(asked, (server) => {
      const found = judgeMemory(server, away);
      if (server.replicas === null) found.push(isReplica(server, 'EDGE_REDIS_URL', 'writes are refused there'));
      return found.length > 0 ? found : [ok(`${server.where}, version ${server.version}, counts for the edges`)];
    });
  },
};

/** The log of counts holds no money: what it loses reports lack. */
export const factsRedis: Check = {
  name: 'redis of counts',
  async find({ factsRedisUrl }) {
    if (factsRedisUrl === null) return [ok('not used: counts travel in the log of all others')];
    const away = 'counts wait in edges for two minutes, and reports lack later ones; money goes on';
    const asked = { setting: 'FACTS_REDIS_URL', url: factsRedisUrl, waitReplicas: 0, away };
    return inspected(asked, (server) => {
      const found = judgeMemoryOfLog(server, away);
      if (server.replicas === null) found.push(isReplica(server, 'FACTS_REDIS_URL', 'counts are refused there'));
      return found.length > 0 ? found : [ok(`${server.where}, version ${server.version}, takes the counts of edges`)];
    });
  },
};

interface Asked {
  readonly setting: string;
  readonly url: string;
  readonly waitReplicas: number;
  /** What it means that it does not answer. */
  readonly away: string;
}

async function inspected(
  { setting, url, waitReplicas, away }: Asked,
  find: (server: InspectedRedis) => Finding[],
): Promise<Finding[]> {
  const { inspectRedis } = await import('#runtime/providers/redis/inspect-servers');
  try {
    return (await inspectRedis(url, waitReplicas)).flatMap(find);
  } catch (error) {
    const todo = `start it, and see that ${setting} has its address, user and password`;
    return [fail(`Redis (${setting}) does not answer as it should: ${(error as Error).message}`, away, todo)];
  }
}

type Replication = Pick<Settings, 'redisWaitReplicas' | 'redisMinReplicas'>;

function judge(server: InspectedRedis, setting: string, replication: Replication): Finding[] {
  const { where, version, findings, replicas } = server;
  const found = findings.map(({ loses, found, means, todo }) =>
    (loses ? fail : warn)(`${where}: ${found}`, means, todo ?? 'see docs/reliability.md'),
  );
  found.push(...judgeMemoryOfLog(server, 'edges spool'));
  if (replicas === null) found.push(isReplica(server, setting, 'writes are refused there'));
  else found.push(...judgeReplicas(server, replicas, replication));
  return found.length > 0 ? found : [ok(`${where}, version ${version}, keeps every write before it answers`)];
}

function isReplica({ where }: InspectedRedis, setting: string, means: string): Finding {
  return fail(`${where} is a replica`, means, `set ${setting} to the primary, or to Sentinels`);
}

function judgeReplicas(
  { where, acknowledging }: InspectedRedis,
  replicas: number,
  { redisWaitReplicas, redisMinReplicas }: Replication,
): Finding[] {
  if (redisWaitReplicas === 0) return [];
  const found = `${where}: ${acknowledging} of ${replicas} replicas acknowledge, and REDIS_WAIT_REPLICAS is ${redisWaitReplicas}`;
  if (acknowledging >= redisWaitReplicas) return [ok(found)];
  const todo = 'start the replicas, and see their replication links (INFO replication)';
  if (acknowledging < redisMinReplicas) {
    return [fail(found, `below REDIS_MIN_REPLICAS (${redisMinReplicas}) nothing is acknowledged`, todo)];
  }
  return [warn(found, 'fewer servers than intended have all that is acknowledged', todo)];
}
