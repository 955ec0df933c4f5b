import type { InspectedRedis } from '#runtime/providers/redis/inspect-servers';
import type { Settings } from '#settings';
import type { Check } from '../check.ts';
import { type Finding, fail, ok, warn } from '../finding.ts';

const AWAY = 'no process starts, and running ones refuse what must be kept';

/** How durable Redis keeps what was acknowledged (docs/reliability.md). */
export const redis: Check = {
  name: 'redis',
  async find(settings) {
    const { redisUrl } = settings;
    if (redisUrl === null) return [ok('not used: the log is embedded, in DATA_DIR')];
    const { inspectRedis } = await import('#runtime/providers/redis/inspect-servers');
    try {
      const servers = await inspectRedis(redisUrl, settings.redisWaitReplicas);
      return servers.flatMap((server) => judge(server, settings));
    } catch (error) {
      const todo = 'start it, and see that REDIS_URL has its address, user and password';
      return [fail(`Redis (REDIS_URL) does not answer as it should: ${(error as Error).message}`, AWAY, todo)];
    }
  },
};

/** The log of counts holds no money: what it loses reports lack. */
export const factsRedis: Check = {
  name: 'redis of counts',
  async find({ factsRedisUrl }) {
    if (factsRedisUrl === null) return [ok('not used: counts travel in the log of all others')];
    const { inspectRedis } = await import('#runtime/providers/redis/inspect-servers');
    try {
      const servers = await inspectRedis(factsRedisUrl, 0);
      return servers.map(({ where, version, replicas }) =>
        replicas === null
          ? fail(
              `${where} is a replica`,
              'counts are refused there',
              'set FACTS_REDIS_URL to the primary, or to Sentinels',
            )
          : ok(`${where}, version ${version}, takes the counts of edges`),
      );
    } catch (error) {
      const means = 'counts wait in edges for two minutes, and reports lack later ones; money goes on';
      const todo = 'start it, and see that FACTS_REDIS_URL has its address, user and password';
      return [fail(`Redis (FACTS_REDIS_URL) does not answer as it should: ${(error as Error).message}`, means, todo)];
    }
  },
};

function judge(server: InspectedRedis, settings: Settings): Finding[] {
  const { where, version, findings, replicas } = server;
  const found = findings.map(({ loses, found, means, todo }) =>
    (loses ? fail : warn)(`${where}: ${found}`, means, todo ?? 'see docs/reliability.md'),
  );
  if (replicas === null) {
    const means = 'writes are refused there';
    found.push(fail(`${where} is a replica`, means, 'set REDIS_URL to the primary, or to Sentinels'));
  } else found.push(...judgeReplicas(server, replicas, settings));
  return found.length > 0 ? found : [ok(`${where}, version ${version}, keeps every write before it answers`)];
}

function judgeReplicas(
  { where, acknowledging }: InspectedRedis,
  replicas: number,
  { redisWaitReplicas, redisMinReplicas }: Settings,
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
