import { eventually } from '../../support/eventually.ts';
import { RedisNode } from './redis-node.ts';

const GENEROUS = { timeoutMs: 120_000, everyMs: 50 };

/** One primary and its replicas, all durable. */
export class ReplicatedRedis {
  readonly nodes: readonly RedisNode[];

  static async start(replicas: number): Promise<ReplicatedRedis> {
    const primary = await RedisNode.start();
    const nodes = [primary];
    try {
      for (let number = 0; number < replicas; number++) {
        nodes.push(await RedisNode.start({ replicaof: `127.0.0.1 ${primary.announcedPort}` }));
      }
      const redis = new ReplicatedRedis(nodes);
      await redis.waitUntilReplicated(primary);
      return redis;
    } catch (error) {
      await Promise.all(nodes.map((node) => node.remove()));
      throw error;
    }
  }

  private constructor(nodes: readonly RedisNode[]) {
    this.nodes = nodes;
  }

  get first(): RedisNode {
    return this.nodes[0]!;
  }

  others(node: RedisNode): RedisNode[] {
    return this.nodes.filter((other) => other !== node);
  }

  /** Resolves when all others are replicas of `primary` and have its whole data set. */
  async waitUntilReplicated(primary: RedisNode): Promise<void> {
    const replicas = this.others(primary).map(({ announcedPort }) => announcedPort);
    await eventually(
      `${replicas.length} replicas of the server on ${primary.port}`,
      async () => {
        const { role, online } = await primary.replication();
        return role === 'master' && replicas.every((port) => online.includes(port));
      },
      GENEROUS,
    );
  }

  restore(): void {
    for (const { link } of this.nodes) link.restore();
  }

  async remove(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.remove()));
  }
}
