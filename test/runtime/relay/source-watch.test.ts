import { expect } from 'chai';
import { SILENT } from '#runtime/node/logger';
import { systemClock } from '#runtime/providers/system/system-clock';
import { registerSource } from '#runtime/relay/register-source';
import { sourceName } from '#runtime/relay/source-name';
import { SourceWatch } from '#runtime/relay/source-watch';
import { writtenOffAtHome } from '#runtime/relay/written-off';
import { eventually } from '#test/support/eventually';
import { redisUrl } from '#test/support/real-servers';
import { openRedisHarness, type RedisLogHarness } from '../providers/redis/redis-log-harness.ts';

const PARTITIONS = 4;

describe("the watch of a region's log", () => {
  let region: RedisLogHarness;
  let home: RedisLogHarness;
  let watch: SourceWatch;
  let looks: number;
  let messages: string[];
  let made: string;
  let source: string;

  let url: string;
  before(function () {
    url = redisUrl(this);
  });
  beforeEach(async () => {
    region = await openRedisHarness(url);
    home = await openRedisHarness(url);
    looks = 0;
    messages = [];
    made = await region.provider.relayed.identity();
    source = sourceName('nyc', made);
    await registerSource(home.provider.relayed, PARTITIONS, source);
    const identity = () => {
      looks += 1;
      return region.provider.relayed.identity();
    };
    const say = (_: unknown, message: string) => void messages.push(message);
    watch = new SourceWatch({
      ...{ region: { identity }, home: home.provider.relayed, partitions: PARTITIONS, regionName: 'nyc' },
      ...{ identity: made, clock: systemClock, logger: { ...SILENT, error: say, warn: say } },
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
    expect(watch.writtenOff).to.equal(null);
    await home.provider.relayed.writeOff(0, source, 'moved');
    await eventually('the write-off to be known', () => watch.writtenOff === 'moved');
    const restore = await home.interrupt!();
    await twoMoreLooks();
    expect(watch.writtenOff).to.equal('moved');
    await restore();
    await twoMoreLooks();
    expect(messages).to.deep.equal(["the region's log was written off: nothing is sold"]);
  });

  it('has nothing against a log that was made anew', async () => {
    await home.provider.relayed.writeOff(0, source, 'lost');
    await eventually('the write-off to be known', () => watch.writtenOff === 'lost');
    await region.direct.unlink(region.keys.identity());
    await eventually('the new log to be known', () => watch.writtenOff === null);
    expect(messages.at(-1)).to.equal('the region has another log, which home knows now');
  });

  it('tells home of a log that was made anew before anything can be sold into it', async () => {
    const restore = await home.interrupt!();
    await region.direct.unlink(region.keys.identity());
    await twoMoreLooks();
    expect(watch.identity, 'home does not know it').to.equal(made);
    await restore();
    await eventually('the new log to be known', () => watch.identity !== made);
    for (let partition = 0; partition < PARTITIONS; partition += 1) {
      const sources = (await home.provider.relayed.sources(partition)).map(({ source: name }) => name);
      expect(sources).to.include(sourceName('nyc', watch.identity));
    }
  });

  it('of an edge that starts finds a write-off that ended before the last partition', async () => {
    const found = () => writtenOffAtHome(home.provider.relayed, PARTITIONS, source);
    expect(await found()).to.equal(null);
    await home.provider.relayed.writeOff(PARTITIONS - 1, source, 'moved');
    expect(await found()).to.equal('moved');
  });
});
