import { expect } from 'chai';
import { SILENT } from '#runtime/node/logger';
import { systemClock } from '#runtime/providers/system/system-clock';
import { registerSource } from '#runtime/relay/register-source';
import { sourceName } from '#runtime/relay/source-name';
import { WriteOffWatch } from '#runtime/relay/write-off-watch';
import { writtenOffAtHome } from '#runtime/relay/written-off';
import { eventually } from '#test/support/eventually';
import { redisUrl } from '#test/support/real-servers';
import { openRedisHarness, type RedisLogHarness } from '../providers/redis/redis-log-harness.ts';

const PARTITIONS = 4;

describe("the watch for a write-off of a region's log", () => {
  let region: RedisLogHarness;
  let home: RedisLogHarness;
  let watch: WriteOffWatch;
  let looks: number;
  let messages: string[];
  let source: string;

  beforeEach(async function () {
    const url = redisUrl(this);
    region = await openRedisHarness(url);
    home = await openRedisHarness(url);
    looks = 0;
    messages = [];
    source = sourceName('nyc', await region.provider.relayed.identity());
    await registerSource(home.provider.relayed, PARTITIONS, source);
    const identity = () => {
      looks += 1;
      return region.provider.relayed.identity();
    };
    const say = (_: unknown, message: string) => void messages.push(message);
    watch = new WriteOffWatch({
      ...{ region: { identity }, home: home.provider.relayed, regionName: 'nyc', clock: systemClock },
      logger: { ...SILENT, error: say, info: say },
    });
    watch.start();
  });
  afterEach(async () => {
    await watch.close();
    await Promise.all([region.close(), home.close()]);
  });

  const twoMoreLooks = () => {
    const from = looks;
    return eventually('two more looks', () => looks >= from + 2);
  };

  it('hears of it with the reason, says so once, and knows it while home is away', async () => {
    await home.provider.relayed.writeOff(0, 'lon#other', 'another one');
    await twoMoreLooks();
    expect(watch.reason).to.equal(null);
    await home.provider.relayed.writeOff(0, source, 'moved');
    await eventually('the write-off to be known', () => watch.reason === 'moved');
    const restore = await home.interrupt!();
    await twoMoreLooks();
    expect(watch.reason).to.equal('moved');
    await restore();
    await twoMoreLooks();
    expect(messages).to.deep.equal(["the region's log was written off: nothing is sold"]);
  });

  it('has nothing against a log that was made anew', async () => {
    await home.provider.relayed.writeOff(0, source, 'lost');
    await eventually('the write-off to be known', () => watch.reason === 'lost');
    await region.direct.unlink(region.keys.identity());
    await eventually('the new log to be known', () => watch.reason === null);
    expect(messages.at(-1)).to.equal('the region has another log: it sells again');
  });

  it('of an edge that starts finds a write-off that ended before the last partition', async () => {
    const found = () => writtenOffAtHome(home.provider.relayed, PARTITIONS, source);
    expect(await found()).to.equal(null);
    await home.provider.relayed.writeOff(PARTITIONS - 1, source, 'moved');
    expect(await found()).to.equal('moved');
  });
});
