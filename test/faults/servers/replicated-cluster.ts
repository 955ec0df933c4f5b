import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { RedisNode } from './redis-node.ts';

const SLOTS = 16_384;
const GENEROUS = { timeoutMs: 120_000, everyMs: 50 };
const NODE_TIMEOUT_MS = 2_000;

/** A Redis Cluster of primaries, each with as many replicas. */
export class ReplicatedCluster {
  readonly nodes: readonly RedisNode[];
  readonly #primaries: number;

  static async start(primaries: number, replicasOfEach: number): Promise<ReplicatedCluster> {
    const nodes: RedisNode[] = [];
    const cluster = new ReplicatedCluster(nodes, primaries);
    try {
      for (let number = 0; number < primaries * (1 + replicasOfEach); number++) nodes.push(await startNode());
      await cluster.#join();
      await cluster.#replicate();
      await cluster.waitUntilReplicated();
    } catch (error) {
      await cluster.remove();
      throw error;
    }
    return cluster;
  }

  private constructor(nodes: readonly RedisNode[], primaries: number) {
    this.nodes = nodes;
    this.#primaries = primaries;
  }

  get url(): string {
    return this.nodes.map(({ announcedPort }) => `redis://127.0.0.1:${announcedPort}`).join(',');
  }

  /** Those that run and take themselves for primaries. */
  async primaries(): Promise<RedisNode[]> {
    const roles = await Promise.all(this.nodes.map((node) => node.replication().catch(() => null)));
    return this.nodes.filter((_, at) => roles[at]?.role === 'master');
  }

  /** The primary that has the slot of `key`. */
  async ownerOf(key: string): Promise<RedisNode> {
    const slot = Number(await this.nodes[0]!.command('CLUSTER', 'KEYSLOT', key));
    const slots = (await this.nodes[0]!.command('CLUSTER', 'SLOTS')) as [number, number, [string, number]][];
    const [, , [, port]] = slots.find(([from, to]) => slot >= from && slot <= to)!;
    return this.nodes.find(({ announcedPort }) => announcedPort === port)!;
  }

  /** Replicas of a primary that have its whole data set. */
  async replicasOf(primary: RedisNode): Promise<RedisNode[]> {
    const { online } = await primary.replication();
    return this.nodes.filter(({ announcedPort }) => online.includes(announcedPort));
  }

  /** Resolves when all nodes that run say that each slot is served, by so many primaries. */
  async waitUntilServing(): Promise<void> {
    await eventually(
      'all slots to be served',
      async () => {
        const facts = await Promise.all(this.nodes.map((node) => node.command('CLUSTER', 'INFO').catch(() => null)));
        const known = facts.filter((fact) => fact !== null);
        const ok = known.every((fact) => /cluster_state:ok/.test(String(fact)));
        return ok && (await this.primaries()).length >= this.#primaries;
      },
      GENEROUS,
    );
  }

  /** Resolves when each primary has its replicas, with the whole data set. */
  async waitUntilReplicated(): Promise<void> {
    await this.waitUntilServing();
    const each = this.nodes.length / this.#primaries - 1;
    await eventually(
      `${each} replicas of each primary`,
      async () => {
        const primaries = await this.primaries();
        const replicas = await Promise.all(primaries.map((primary) => this.replicasOf(primary)));
        return primaries.length === this.#primaries && replicas.every(({ length }) => length >= each);
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

  async #join(): Promise<void> {
    const [first, ...others] = this.nodes;
    for (const [at, node] of this.nodes.entries()) {
      await node.command('CLUSTER', 'SET-CONFIG-EPOCH', at + 1);
      if (at >= this.#primaries) continue;
      const from = Math.floor((SLOTS * at) / this.#primaries);
      await node.command('CLUSTER', 'ADDSLOTSRANGE', from, Math.floor((SLOTS * (at + 1)) / this.#primaries) - 1);
    }
    const [, busPort] = (await first!.command('CONFIG', 'GET', 'cluster-port')) as string[];
    for (const node of others) await node.command('CLUSTER', 'MEET', '127.0.0.1', first!.announcedPort, busPort!);
    await eventually(
      'the cluster to form',
      async () => {
        const facts = await Promise.all(this.nodes.map((node) => node.command('CLUSTER', 'INFO')));
        return facts.every((fact) => String(fact).includes(`cluster_known_nodes:${this.nodes.length}`));
      },
      GENEROUS,
    );
  }

  async #replicate(): Promise<void> {
    for (const [at, node] of this.nodes.entries()) {
      if (at < this.#primaries) continue;
      const id = await this.nodes[at % this.#primaries]!.command('CLUSTER', 'MYID');
      await eventually(
        'a primary to be known',
        () => node.command('CLUSTER', 'REPLICATE', String(id)).then(() => true),
        GENEROUS,
      );
    }
  }
}

async function startNode(): Promise<RedisNode> {
  return RedisNode.start({
    'cluster-enabled': 'yes',
    'cluster-port': `${await freePort()}`,
    'cluster-node-timeout': `${NODE_TIMEOUT_MS}`,
    // A shard that is away is no reason for the others to serve nothing.
    'cluster-require-full-coverage': 'no',
    'cluster-allow-replica-migration': 'no',
  });
}
