import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { hashAddress } from '#runtime/node/kind-registry';
import { type ActorNode, createNode } from '#runtime/node/node';
import type { LogProvider } from '#runtime/ports/log-provider';
import { type Embedded, openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { Keys } from '#runtime/providers/redis/keys';
import { openRedisLog } from '#runtime/providers/redis/open-redis-log';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import { IngestHarness } from '../../edge/impressions/ingest-harness.ts';
import { counter } from '../../runtime/node/counter.ts';
import { type LocalCluster, startLocalCluster } from '../../runtime/providers/redis/local-cluster.ts';
import { eventually } from '../../support/eventually.ts';
import { requireRedisServer } from '../../support/redis-server.ts';

const PARTITIONS = 12;
const PREFIX = 'shard-away';
const AWAY_MS = 12_000;
const PAUSE_MS = 50;
/**
 * What most asks of another partition take, at most: replies that pass through the lost server are lost with it, and
 * asked for again.
 */
const ANSWERED_WITHIN_MS = 3_000;
const ASK_AGAIN_MS = 500;
const KIND = counter();

describe('one of three primaries of a Redis Cluster that is away', () => {
  let cluster: LocalCluster;
  let folder: string;
  let embedded: Embedded;
  let edge: IngestHarness;
  const providers: LogProvider[] = [];
  const nodes: ActorNode[] = [];
  const logged: string[] = [];

  beforeEach(async function () {
    requireRedisServer(this);
    cluster = await startLocalCluster(3, { 'cluster-require-full-coverage': 'no', appendfsync: 'always' });
    folder = await mkdtemp(join(tmpdir(), 'shard-away-'));
    embedded = await openEmbedded({ folder, partitions: PARTITIONS, clock: systemClock });
    logged.length = 0;
    for (const name of ['first', 'second', 'asking']) {
      const provider = await openRedisLog({ url: cluster.url, prefix: PREFIX, partitions: PARTITIONS, name });
      providers.push(provider);
      const log = (fields: object, message: string) => logged.push(`${name}: ${message} ${JSON.stringify(fields)}`);
      const node = createNode({
        name,
        provider,
        store: embedded.store,
        clock: systemClock,
        random: systemRandom,
        definitions: [KIND],
        hostsActors: name !== 'asking',
        replicates: [],
        logger: { debug: log, info: log, warn: log, error: log },
      });
      nodes.push(node);
      await node.start();
    }
    edge = await IngestHarness.start(providers[2]!.log);
    await eventually('both to share the partitions', () => {
      const [one, other] = nodes.map(({ ownedPartitions }) => ownedPartitions.length);
      return one === PARTITIONS / 2 && other === PARTITIONS / 2;
    });
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') process.stderr.write(`${logged.slice(-40).join('\n')}\n`);
    await edge?.close();
    for (const node of nodes.splice(0)) await node.stop();
    for (const provider of providers.splice(0)) await provider.close();
    await embedded?.close();
    await cluster?.remove();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  /** Of each partition, the server that has its keys. */
  async function placed(): Promise<{ readonly of: number[]; readonly members: number }> {
    const keys = new Keys(PREFIX);
    const client = new Redis({ port: cluster.servers[0]!.port });
    const serverOf = async (key: string) => {
      const slot = (await client.call('CLUSTER', 'KEYSLOT', key)) as number;
      return Math.min(2, Math.floor((slot * 3) / 16_384));
    };
    try {
      const of = await Promise.all(Array.from({ length: PARTITIONS }, (_, at) => serverOf(keys.stream(at))));
      return { of, members: await serverOf(keys.members()) };
    } finally {
      client.disconnect();
    }
  }

  const names = new Map<number, string>();
  for (let number = 0; names.size < PARTITIONS; number++) {
    names.set(hashAddress(`${KIND.kind}/c${number}`) % PARTITIONS, `c${number}`);
  }

  /** Asks until there is an answer, under one request id; resolves with the time it took. */
  async function ask(partition: number): Promise<number> {
    const since = performance.now();
    const options = { timeoutMs: ASK_AGAIN_MS, requestId: systemRandom.id() };
    await eventually(`partition ${partition}`, () =>
      nodes[2]!.messenger.ask(KIND, names.get(partition)!, 'add', { n: 1 }, options),
    );
    return performance.now() - since;
  }

  for (const which of ['without', 'with'] as const) {
    it(`concerns its partitions alone, ${which} the list of members`, async () => {
      const { of, members } = await placed();
      const gone = which === 'with' ? members : (members + 1) % 3;
      const lost = [...of.keys()].filter((partition) => of[partition] === gone);
      const others = [...of.keys()].filter((partition) => of[partition] !== gone);
      expect(lost, 'partitions on the server').not.to.be.empty;
      await Promise.all([...of.keys()].map((partition) => ask(partition)));

      await cluster.servers[gone]!.kill();
      const until = performance.now() + AWAY_MS;
      const tookMs: number[] = [];
      let calls = 0;
      const asking = (async () => {
        while (performance.now() < until) {
          const took = await Promise.all(others.map((partition) => ask(partition)));
          tookMs.push(...took);
          await pause(PAUSE_MS);
        }
      })();
      const paths: string[] = [];
      while (performance.now() < until) {
        const some = Array.from({ length: 5 }, () => edge.pixel());
        paths.push(...some);
        const answers = await Promise.all(some.map((path) => edge.call(path)));
        for (const { status } of answers) expect(status).to.equal(200);
        calls += answers.length;
        await pause(PAUSE_MS);
      }
      await asking;
      const slowestMs = Math.max(...tookMs);
      const medianMs = tookMs.sort((a, b) => a - b)[Math.floor(tookMs.length / 2)]!;
      const late = tookMs.filter((ms) => ms >= ASK_AGAIN_MS).length;
      const { billed = 0, spooled = 0 } = await edge.outcomes();
      const back = performance.now();
      await cluster.servers[gone]!.start();
      await Promise.all(lost.map(ask));
      const backMs = performance.now() - back;
      process.stdout.write(
        `      ${lost.length} of ${PARTITIONS} partitions away for ${AWAY_MS / 1000} s: others answered within ${slowestMs.toFixed(0)} ms (${late} of ${tookMs.length} later than ${ASK_AGAIN_MS} ms), ` +
          `${billed} impressions taken in, ${spooled} spooled; back after ${(backMs / 1000).toFixed(1)} s\n`,
      );
      // All were answered, for the server comes back only then. How fast the slowest was is the machine's affair, too.
      expect(medianMs, 'the median answer').to.be.below(ANSWERED_WITHIN_MS);
      expect(billed, 'impressions taken in meanwhile').to.be.above((calls * others.length) / PARTITIONS / 2);
      expect(spooled).to.be.above(0);
      await eventually('the spool to be empty', async () => (await readdir(edge.spoolFolder)).length === 0);
      const { 'replayed-billed': replayed = 0 } = await edge.outcomes();
      expect(billed + replayed, 'each once').to.equal(calls);
    });
  }
});
