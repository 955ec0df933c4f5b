import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { encodeEnvelope } from '#runtime/node/envelope';
import { START } from '#runtime/ports/position';
import { openRedisLog } from '#runtime/providers/redis/open-redis-log';
import { type Ended, exchangeCommand } from '../support/exchange-command.ts';
import { redisUrl } from '../support/real-servers.ts';

const PARTITIONS = 4;

describe('exchange regions', () => {
  let environment: Record<string, string>;
  let home: Awaited<ReturnType<typeof openRedisLog>>;

  let url: string;
  before(function () {
    url = redisUrl(this);
  });
  beforeEach(async () => {
    const prefix = `test-${randomUUID()}`;
    environment = { REDIS_URL: url, REDIS_PREFIX: prefix };
    home = await openRedisLog({ url, prefix, partitions: PARTITIONS });
  });
  afterEach(() => home.close());

  const run = (...args: readonly string[]): Promise<Ended> => exchangeCommand(environment, 'regions', ...args);
  const take = async (source: string, throughMs: number, entries: readonly number[] = [], type = 'impression') => {
    const nowMs = Date.now();
    const relayed = entries.map((at) => ({
      ...{ from: `${at}-0`, isOwn: true, id: `${source} ${at}`, bucketMs: 0, expiresAtMs: nowMs + 1_000 },
      payload: encodeEnvelope({ to: 'tally/0', type, body: { priceCpmMicros: 2_000_000 } }),
    }));
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const batch = { after: START, entries: partition === 0 ? relayed : [], throughMs: throughMs + partition };
      await home.relayed.appendRelayed(partition, source, batch);
    }
  };

  it('says so where there are none', async () => {
    const { code, stdout } = await run();
    expect([code, stdout]).to.deep.equal([1, 'No region has a log of its own.\n']);
  });

  it('lists how far each is at home', async () => {
    await take('lon#b', 0);
    await take('nyc#a', Date.parse('2026-03-04T05:06:07Z'));
    const { code, stdout } = await run('list');
    expect(code).to.equal(0);
    expect(stdout.trimEnd().split('\n')).to.deep.equal([
      'lon#b: nothing heard of it yet',
      'nyc#a: at home through 2026-03-04T05:06:07.000Z',
    ]);
  });

  it('writes one off everywhere, and tells what impressions came of it since', async () => {
    await take('nyc#a', 1_000, [1]);
    const { code, stdout } = await run('write-off', 'nyc#a', '--why', 'the region burnt down');
    expect(code).to.equal(0);
    expect(stdout).to.include('written off: the region burnt down');
    await take('nyc#a', 2_000, [1, 2, 3]);
    await take('nyc#a', 2_000, [4], 'invalid');
    const listed = await run('list', '--json');
    expect(JSON.parse(listed.stdout)).to.deep.equal([
      {
        name: 'nyc#a',
        drained_through: new Date(2_000).toISOString(),
        written_off: 'the region burnt down',
        too_late: { impressions: 2, gross_nanos: 4_000_000 },
      },
    ]);
  });

  it('refuses a name that no region has, and to give one up without a reason', async () => {
    await take('nyc#a', 0);
    const unknown = await run('write-off', 'nyc#b', '--why', 'a mistake');
    expect(unknown.code).to.equal(1);
    expect(unknown.stderr).to.include('There is no log of the name nyc#b.');
    expect((await run('write-off', 'nyc#a')).code).to.equal(2);
    const [source] = await home.relayed.sources(0);
    expect(source!.writtenOff).to.equal(null);
  });

  it('refuses to give up one that was heard of within a minute, unless it is forced to', async () => {
    const { nowMs } = await home.log.tail(0);
    await take('nyc#a', nowMs - 20_000);
    const refused = await run('write-off', 'nyc#a', '--why', 'a mistake');
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.match(/nyc#a is alive: it was heard of [12]\d seconds ago\..*--force/);
    expect((await home.relayed.sources(0))[0]!.writtenOff).to.equal(null);
    expect((await run('write-off', 'nyc#a', '--why', 'it is broken', '--force')).code).to.equal(0);
    for (let partition = 0; partition < PARTITIONS; partition++) {
      expect((await home.relayed.sources(partition))[0]!.writtenOff).to.equal('it is broken');
    }
    const again = await run('write-off', 'nyc#a', '--why', 'once more');
    expect([again.code, again.stdout.includes('it is broken')], 'a run that ended early').to.deep.equal([0, true]);
  });

  it('refuses to give up one that brings home what it took long ago', async () => {
    await take('nyc#a', 1_000);
    let ended = false;
    const refused = run('write-off', 'nyc#a', '--why', 'a mistake').finally(() => {
      ended = true;
    });
    // The last partition alone moves.
    for (let at = 2_000; !ended; at++) {
      await home.relayed.appendRelayed(PARTITIONS - 1, 'nyc#a', { after: START, entries: [], throughMs: at });
    }
    const { code, stderr } = await refused;
    expect(code).to.equal(1);
    expect(stderr).to.include('nyc#a is alive: it brings impressions home now');
    expect((await home.relayed.sources(0))[0]!.writtenOff).to.equal(null);
  });

  it('needs a REDIS_URL', async () => {
    const { code, stderr } = await exchangeCommand({}, 'regions');
    expect(code).to.equal(2);
    expect(stderr).to.include('REDIS_URL is not set');
  });
});
