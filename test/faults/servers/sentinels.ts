import { eventually } from '../../support/eventually.ts';
import { RedisNode } from './redis-node.ts';
import { ReplicatedRedis } from './replicated-redis.ts';

const MASTER = 'exchange';
const SENTINELS = 3;
const QUORUM = 2;
const DOWN_AFTER_MS = 1_500;
const FAILOVER_TIMEOUT_MS = 6_000;
const GENEROUS = { timeoutMs: 120_000, everyMs: 50 };

/** One primary and two replicas that three Sentinels watch. */
export class SentinelledRedis {
  readonly redis: ReplicatedRedis;
  readonly #sentinels: readonly RedisNode[];

  static async start(): Promise<SentinelledRedis> {
    const redis = await ReplicatedRedis.start(2);
    const sentinels: RedisNode[] = [];
    const lines = [
      `sentinel monitor ${MASTER} 127.0.0.1 ${redis.first.announcedPort} ${QUORUM}`,
      `sentinel down-after-milliseconds ${MASTER} ${DOWN_AFTER_MS}`,
      `sentinel failover-timeout ${MASTER} ${FAILOVER_TIMEOUT_MS}`,
      `sentinel parallel-syncs ${MASTER} 1`,
    ];
    const started = new SentinelledRedis(redis, sentinels);
    try {
      for (let number = 0; number < SENTINELS; number++) sentinels.push(await RedisNode.startSentinel(lines));
      await started.waitUntilWatched();
    } catch (error) {
      await started.remove();
      throw error;
    }
    return started;
  }

  private constructor(redis: ReplicatedRedis, sentinels: readonly RedisNode[]) {
    this.redis = redis;
    this.#sentinels = sentinels;
  }

  get url(): string {
    return `redis+sentinel://${this.#sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${MASTER}`;
  }

  /** What most Sentinels name. */
  async primary(): Promise<RedisNode> {
    const named = await Promise.all(
      this.#sentinels.map(async (one) => {
        const [, port] = (await one.command('SENTINEL', 'get-master-addr-by-name', MASTER)) as string[];
        return Number(port);
      }),
    );
    const chosen = named.find((port, at) => named.indexOf(port) !== at) ?? named[0];
    return this.redis.nodes.find(({ announcedPort }) => announcedPort === chosen)!;
  }

  /** Resolves with the new primary once the Sentinels have named another than `killed`, and it serves as one. */
  async waitForFailover(killed: RedisNode): Promise<RedisNode> {
    return eventually(
      'the Sentinels to promote a replica',
      async () => {
        const now = await this.primary();
        return now !== killed && (await now.replication()).role === 'master' ? now : null;
      },
      GENEROUS,
    );
  }

  /** Resolves when each Sentinel knows both replicas and the other Sentinels. */
  async waitUntilWatched(): Promise<void> {
    await eventually(
      'the Sentinels to know all servers',
      async () => {
        const known = await Promise.all(
          this.#sentinels.map(async (one) => {
            const replicas = (await one.command('SENTINEL', 'replicas', MASTER)) as unknown[];
            const others = (await one.command('SENTINEL', 'sentinels', MASTER)) as unknown[];
            return replicas.length === 2 && others.length === SENTINELS - 1;
          }),
        );
        return known.every((all) => all);
      },
      GENEROUS,
    );
  }

  async remove(): Promise<void> {
    await Promise.all(this.#sentinels.map((one) => one.remove()));
    await this.redis.remove();
  }
}
