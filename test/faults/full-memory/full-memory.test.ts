import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { feedPage } from '#actors/feed-page/feed-page';
import { impressionRollup } from '#actors/impression-rollup/impression-rollup';
import { ledger } from '#actors/ledger/ledger';
import { PLATFORM_OWNER_ID } from '#actors/ledger/ledger-id';
import { readLedgerPages } from '#actors/ledger/read-ledgers';
import { reportWindowOf } from '#actors/ledger/report/period';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import { type ActorNode, createNode } from '#runtime/node/node';
import { Overloaded } from '#runtime/ports/errors';
import type { LogProvider } from '#runtime/ports/log-provider';
import { type Embedded, openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { openRedisLog } from '#runtime/providers/redis/open-redis-log';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import { IngestHarness } from '../../edge/impressions/ingest-harness.ts';
import { eventually } from '../../support/eventually.ts';
import { type RedisServer, requireRedisServer, startRedisServer } from '../../support/redis-server.ts';
import { fillMemory, waitingImpression } from './waiting.ts';

const PARTITIONS = 4;
const WAITING = 12_000;
const SPOOLED = 40;
const HOUR_MS = 3_600_000;
const SOURCES = { publisher: 'publisher-1', dsp: 'dsp-1' };

describe('a Redis whose memory is full', () => {
  let folder: string;
  let server: RedisServer;
  let store: Embedded;
  let provider: LogProvider;
  let edge: IngestHarness;
  let direct: Redis;
  let late: LogProvider | undefined;
  let node: ActorNode | undefined;

  before(async function () {
    requireRedisServer(this);
    folder = await mkdtemp(join(tmpdir(), 'full-memory-'));
    server = await startRedisServer({ maxmemory: '16mb', appendfsync: 'everysec' });
    store = await openEmbedded({ folder, partitions: PARTITIONS, clock: systemClock });
    provider = await openRedisLog({ url: server.url, prefix: 'full-memory', partitions: PARTITIONS });
    edge = await IngestHarness.start(provider.log);
  });

  after(async () => {
    await node?.stop();
    await edge?.close();
    await late?.close();
    direct?.disconnect();
    await provider?.close();
    await store?.close();
    await server?.remove();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  async function impressionsBilled(): Promise<number> {
    const window = reportWindowOf('today', Date.now());
    const owner = { scope: 'platform', id: PLATFORM_OWNER_ID, sandbox: false } as const;
    return sumLedgers(await readLedgerPages(store.store, [owner], window), window).impressions;
  }

  const waiting = async () => {
    const tails = await Promise.all(Array.from({ length: PARTITIONS }, (_, partition) => provider.log.tail(partition)));
    return tails.reduce((sum, { length }) => sum + length, 0);
  };

  it('drains unaided what waits in it, while edges spool what they are shown, and nothing is lost or billed twice', async () => {
    const bucketMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    for (let number = 0; number < WAITING; number += 200) {
      const partition = (number / 200) % PARTITIONS;
      const entries = Array.from({ length: 200 }, (_, at) => waitingImpression(number + at, partition, SOURCES));
      await provider.log.appendOnce(partition, entries);
    }
    expect(await waiting()).to.equal(WAITING);

    direct = new Redis(server.url);
    expect(await fillMemory(direct)).to.include('OOM');
    // Of an entry that would not be appended anyway.
    const probe = { id: 'probe', bucketMs, expiresAtMs: 1, payload: '' };
    await eventually('producers to be refused', () =>
      provider.log.appendOnce(0, [probe]).then(
        () => false,
        (error: unknown) => error instanceof Overloaded,
      ),
    );

    const pixels = Array.from({ length: SPOOLED }, () => edge.pixel());
    for (const pixel of pixels) expect((await edge.call(pixel)).status).to.equal(200);
    expect(await readdir(edge.spoolFolder), 'the edge spools').to.have.length.above(0);
    expect(await waiting()).to.equal(WAITING);

    // A process that starts now finds the log as it is: full.
    late = await openRedisLog({ url: server.url, prefix: 'full-memory', partitions: PARTITIONS });
    node = createNode({
      name: 'drains',
      provider: late,
      store: store.store,
      clock: systemClock,
      random: systemRandom,
      definitions: [impressionRollup, ledger, feedPage],
      hostsActors: true,
      replicates: [],
    });
    await node.start();
    await eventually('all that waited handled and billed', async () => (await impressionsBilled()) >= WAITING, {
      timeoutMs: 60_000,
    });
    await eventually('the spool empty', async () => (await readdir(edge.spoolFolder)).length === 0, {
      timeoutMs: 60_000,
    });
    for (const pixel of pixels) expect((await edge.call(pixel)).status, 'a repeat').to.equal(200);
    await eventually('everything covered', async () => (await waiting()) === 0, { timeoutMs: 60_000 });
    expect(await impressionsBilled()).to.equal(WAITING + SPOOLED);
    expect(await node.deadLetters.list({ limit: 10 })).to.deep.equal([]);
  });
});
