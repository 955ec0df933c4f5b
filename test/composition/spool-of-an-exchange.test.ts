import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pino from 'pino';
import { Registry } from 'prom-client';
import { createSpool } from '../../composition/create-spool.ts';
import type { ImpressionSpool } from '../../edge/impressions/spool.ts';
import { encodeSpooled } from '../../edge/impressions/spool-record.ts';
import { SpoolReplay } from '../../edge/impressions/spool-replay.ts';
import { START } from '../../runtime/ports/position.ts';
import { type Embedded, openEmbedded } from '../../runtime/providers/embedded/open-embedded.ts';
import { openRedisLog } from '../../runtime/providers/redis/open-redis-log.ts';
import { systemClock } from '../../runtime/providers/system/system-clock.ts';
import { readSettings, type Settings } from '../../settings.ts';
import { spooledImpression } from '../edge/impressions/spooled-impression.ts';
import { type RedisServer, requireRedisServer, startRedisServer } from '../support/redis-server.ts';

/** Still in its window. */
function fresh(id: string) {
  const impression = spooledImpression(id);
  return { ...impression, entry: { ...impression.entry, expiresAtMs: Date.now() + 60_000 } };
}

describe('the spool of an exchange', () => {
  let folder: string;
  let embedded: Embedded;
  let registry: Registry;
  const warnings: string[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spool-of-exchange-'));
    embedded = await openEmbedded({ folder: join(folder, 'store'), partitions: 8, clock: systemClock });
    warnings.length = 0;
  });

  afterEach(async () => {
    await embedded.close();
    await rm(folder, { recursive: true, force: true });
  });

  function settingsWith(redisUrl: string, previous = ''): Settings {
    const environment = { DATA_DIR: folder, REDIS_URL: redisUrl, REDIS_URL_PREVIOUS: previous, EDGE_PORT: '8081' };
    return readSettings(environment);
  }

  function open(settings: Settings, worker = 1): Promise<ImpressionSpool> {
    registry = new Registry();
    const logger = pino({ level: 'warn' }, { write: (line: string) => warnings.push(line) });
    return createSpool({ settings, worker, store: embedded.store, registry, logger });
  }

  const foreignFiles = async () =>
    (await registry.getSingleMetric('exchange_spool_foreign_files')!.get()).values[0]!.value;
  const held = async (spool: ImpressionSpool) => {
    const read = await Promise.all((await spool.files()).map((file) => spool.read(file)));
    return read.flatMap(({ impressions }) => impressions.map(({ entry }) => entry.id));
  };
  const nameOfOld = (redisUrl: string, edge = 'fra-8081') =>
    `${edge}-${createHash('sha256').update(redisUrl).digest('hex').slice(0, 12)}`;
  const writeOld = async (name: string, ...ids: string[]) => {
    await mkdir(join(folder, 'spool', name), { recursive: true });
    const text = ids.map((id) => encodeSpooled(fresh(id))).join('');
    await writeFile(join(folder, 'spool', name, '000000000001.spool'), text);
  };

  it('is found and billed once under another REDIS_URL of the same server', async function () {
    requireRedisServer(this);
    const server: RedisServer = await startRedisServer();
    try {
      const before = await open(settingsWith(server.url));
      for (const id of ['one', 'two']) await before.append(fresh(id));
      await before.close();
      const after = await open(settingsWith(`${server.url}/0`));
      expect(warnings).to.deep.equal([]);
      const log = await openRedisLog({ url: `${server.url}/0`, prefix: 'spool-of-exchange', partitions: 8 });
      for (let time = 0; time < 2; time++) await new SpoolReplay(log.log, after, () => undefined).run();
      for (const id of ['one', 'two']) await after.append(fresh(id));
      const outcomes: string[] = [];
      await new SpoolReplay(log.log, after, (_, outcome) => outcomes.push(outcome)).run();
      expect(outcomes).to.deep.equal(['repeated', 'repeated']);
      const everywhere = new Map(Array.from({ length: 8 }, (_, partition) => [partition, START]));
      expect([...(await log.log.read(everywhere, 10, 0)).values()].flat()).to.have.length(2);
      await log.close();
    } finally {
      await server.remove();
    }
  });

  it('takes in what 0.4 has spooled under this REDIS_URL or one that is named as an earlier one', async () => {
    await writeOld(nameOfOld('redis://:old@redis:6379'), 'earliest');
    await writeOld(nameOfOld('redis://redis:6379'), 'earlier');
    const settings = settingsWith('redis://redis:6379', 'redis://:old@redis:6379 redis://unused:1');
    const spool = await open(settings);
    expect((await held(spool)).sort()).to.deep.equal(['earlier', 'earliest']);
    await spool.append(fresh('new'));
    expect(await held(spool)).to.have.length(3);
    await spool.close();
    expect(await held(await open(settings)), 'at the next start too').to.have.length(3);
    expect(await readdir(join(folder, 'spool'))).to.have.length(1);
    expect(warnings).to.deep.equal([]);
    expect(await foreignFiles()).to.equal(0);
  });

  it('keeps what an older release had set aside, also of one that ran again in between', async () => {
    const settings = settingsWith('redis://redis:6379');
    const old = nameOfOld('redis://redis:6379');
    for (const text of ['the first', 'the second', 'the third']) {
      await mkdir(join(folder, 'spool', old), { recursive: true });
      await writeFile(join(folder, 'spool', old, 'too-late.log'), text);
      await open(settings);
    }
    const [own, ...others] = await readdir(join(folder, 'spool'));
    expect(others).to.deep.equal([]);
    const kept = (await readdir(join(folder, 'spool', own!))).map((name) =>
      readFile(join(folder, 'spool', own!, name), 'utf8'),
    );
    expect((await Promise.all(kept)).sort()).to.deep.equal(['the first', 'the second', 'the third']);
  });

  it('is apart for each of the edges that share a port, and passes to the first when there are fewer', async () => {
    const settings = settingsWith('redis://redis:6379');
    const four = { ...settings, edgeWorkers: 4 };
    for (const worker of [1, 2, 3, 4]) {
      const spool = await open(four, worker);
      await spool.append(fresh(`of ${worker}`));
      await spool.close();
    }
    for (const worker of [1, 2, 3, 4]) {
      expect(await held(await open(four, worker))).to.deep.equal([`of ${worker}`]);
      expect(await foreignFiles()).to.equal(0);
    }
    const two = { ...settings, edgeWorkers: 2 };
    expect(await held(await open(two, 2))).to.deep.equal(['of 2']);
    expect((await held(await open(two, 1))).sort()).to.deep.equal(['of 1', 'of 3', 'of 4']);
    expect((await held(await open(settings))).sort()).to.deep.equal(['of 1', 'of 2', 'of 3', 'of 4']);
    expect(await foreignFiles()).to.equal(0);
    expect(await readdir(join(folder, 'spool'))).to.have.length(1);
    expect(warnings).to.deep.equal([]);
  });

  it('names what it does not replay in the log, with how many there are, and in a metric', async () => {
    await writeOld(nameOfOld('redis://other:6379'), 'a', 'b', 'c');
    await writeOld('nyc-8081-exchange.somebody', 'd');
    const spool = await open(settingsWith('redis://redis:6379'));
    expect(await held(spool)).to.deep.equal([]);
    expect(warnings.map((line) => JSON.parse(line).impressions).sort()).to.deep.equal([1, 3]);
    expect(warnings.join('')).to.include(nameOfOld('redis://other:6379'));
    expect(await foreignFiles()).to.equal(2);
    await rm(join(folder, 'spool', nameOfOld('redis://other:6379')), { recursive: true });
    expect(await foreignFiles(), 'as it is when it is asked').to.equal(1);
  });

  it('opens beside a file of another edge that cannot be read, and counts the readable ones with it', async () => {
    await writeOld('nyc-8081-exchange.somebody', 'a');
    await mkdir(join(folder, 'spool', 'nyc-8081-exchange.somebody', '000000000002.spool'));
    const spool = await open(settingsWith('redis://redis:6379'));
    expect(await held(spool)).to.deep.equal([]);
    expect(warnings.map((line) => JSON.parse(line).impressions)).to.deep.equal([1]);
    expect(await foreignFiles()).to.equal(2);
  });

  it('replays no file of another exchange, whatever folder it was put into', async () => {
    const own = await open(settingsWith('redis://redis:6379'));
    await own.append(fresh('own'));
    const [name] = await own.files();
    const [ownFolder] = await readdir(join(folder, 'spool'));
    const path = join(folder, 'spool', ownFolder!, name!);
    const text = await readFile(path, 'utf8');
    await writeFile(
      join(folder, 'spool', ownFolder!, '000000000009.spool'),
      text.replace(/^exchange .*/, 'exchange another'),
    );
    const billed: string[] = [];
    const replay = new SpoolReplay(embedded.log.log, own, ({ entry }) => billed.push(entry.id));
    expect(await replay.run()).to.deep.equal({ impressions: 1, damagedLines: 0, foreign: 1, failure: null });
    expect(billed).to.deep.equal(['own']);
    expect(await foreignFiles()).to.equal(1);
  });
});
