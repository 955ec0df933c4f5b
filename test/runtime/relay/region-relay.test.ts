import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { regionalEntry, regionalEntryDecoder } from '#edge/regions/regional-entry';
import { encodeEnvelope } from '#runtime/node/envelope';
import { SILENT } from '#runtime/node/logger';
import { LogUnavailable } from '#runtime/ports/errors';
import type { IdempotentEntry } from '#runtime/ports/log';
import { comparePositions, positionTimeMs, START } from '#runtime/ports/position';
import { FOREIGN_REMEMBERED_MS, type RelayedAppends } from '#runtime/ports/relayed';
import { systemClock } from '#runtime/providers/system/system-clock';
import { RegionRelay, type RelayOptions } from '#runtime/relay/region-relay';
import { readRegionsThrough } from '#scheduler/watermark/regions-through';
import { eventually } from '#test/support/eventually';
import { redisUrl } from '#test/support/real-servers';
import { payloadsOf } from '../log-contract/reading.ts';
import { openRedisHarness, type RedisLogHarness } from '../providers/redis/redis-log-harness.ts';

const HOUR_MS = 3_600_000;
const PARTITION = 1;

describe('the relay of a region', () => {
  let region: RedisLogHarness;
  let home: RedisLogHarness;
  let relays: RegionRelay[];
  let acknowledged: string[];

  let url: string;
  before(function () {
    url = redisUrl(this);
  });
  beforeEach(async () => {
    region = await openRedisHarness(url);
    home = await openRedisHarness(url);
    relays = [];
    acknowledged = [];
  });
  afterEach(async () => {
    await Promise.all(relays.map((relay) => relay.close()));
    await Promise.all([region.close(), home.close()]);
  });

  function relay(changes: Partial<RelayOptions> = {}): RegionRelay {
    const made = new RegionRelay({
      region: region.provider,
      home: home.provider.relayed,
      regionName: 'nyc',
      decode: regionalEntryDecoder('nyc'),
      owner: randomUUID(),
      clock: systemClock,
      logger: SILENT,
      leaseMs: 1_000,
      ...changes,
    });
    relays.push(made);
    made.start();
    return made;
  }

  function impression(id: string, soldIn = 'nyc'): IdempotentEntry {
    const nowMs = Date.now();
    const payload = encodeEnvelope({ to: `tally/${PARTITION}`, type: 'impression', body: { id, region: soldIn } });
    const bucketMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    return { id, bucketMs, expiresAtMs: nowMs + HOUR_MS, payload, noteBefore: 2 };
  }

  async function acknowledge(count: number): Promise<void> {
    const ids = Array.from({ length: count }, () => randomUUID());
    const entries = ids.map((id) => regionalEntry(impression(id)));
    expect(await region.provider.log.appendOnce(PARTITION, entries)).to.deep.equal(ids.map(() => 'appended'));
    acknowledged.push(...ids);
  }

  async function idsAtHome(): Promise<string[]> {
    return (await payloadsOf(home.provider.log, PARTITION)).map((payload) => JSON.parse(payload)[2].id);
  }

  async function expectAllOnce(): Promise<void> {
    await eventually('everything to be at home', async () => (await idsAtHome()).length >= acknowledged.length);
    const ids = await idsAtHome();
    expect(ids.length).to.equal(acknowledged.length);
    expect(new Set(ids)).to.deep.equal(new Set(acknowledged));
  }

  it('brings everything home in order, and tells each second that it is drained', async () => {
    await acknowledge(1_200);
    relay();
    await expectAllOnce();
    expect(await idsAtHome()).to.deep.equal(acknowledged);
    const { nowMs } = await region.provider.log.tail(PARTITION);
    const drained = async () => ((await readRegionsThrough(home.provider.relayed, 4)).throughMs ?? 0) > nowMs;
    await eventually('an idle region to be known as drained', drained);
    expect(relays[0]!.backlog).to.include({ partitions: 4, entries: 0 });
  });

  it('brings home what is there before it ends', async () => {
    // More than a batch.
    await acknowledge(1_200);
    await relay().close();
    expect(await idsAtHome()).to.deep.equal(acknowledged);
  });

  it('bills an id once that came home by another way', async () => {
    const elsewhere = impression('seen elsewhere', 'lon');
    await home.provider.log.appendOnce(PARTITION, [elsewhere]);
    await region.provider.log.appendOnce(PARTITION, [regionalEntry(elsewhere)]);
    await acknowledge(1);
    relay();
    const isThere = async () => (await idsAtHome()).includes(acknowledged[0]!);
    await eventually('what is behind it to be at home', isThere);
    expect(await idsAtHome()).to.deep.equal(['seen elsewhere', ...acknowledged]);
  });

  it('bills an id once that home took itself and has forgotten since', async () => {
    relay();
    await acknowledge(1);
    await expectAllOnce();
    const elsewhere = impression('seen elsewhere');
    await home.provider.log.appendOnce(PARTITION, [{ ...elsewhere, isForeign: true }]);
    // What an hour after the window does.
    await home.direct.unlink(home.keys.seen(PARTITION, elsewhere.bucketMs));
    await region.provider.log.appendOnce(PARTITION, [regionalEntry(elsewhere)]);
    await acknowledge(1);
    await eventually('what is behind it to be at home', async () => (await idsAtHome()).includes(acknowledged[1]!));
    expect(await idsAtHome()).to.deep.equal([acknowledged[0], 'seen elsewhere', acknowledged[1]]);
  });

  it('keeps the note of an invalid call for as long as a region may bring the valid one', async () => {
    relay();
    await acknowledge(1);
    await expectAllOnce();
    const there = impression('called by a bot in its region');
    const here = { ...impression('called by a bot at home'), isForeign: true as const };
    const provisional = ',"revalidates":"bot-user-agent"';
    await region.provider.log.appendOnce(PARTITION, [regionalEntry({ ...there, provisional })]);
    await eventually('it to be at home', async () => (await idsAtHome()).includes(there.id));
    const notes = home.keys.notes(PARTITION, there.bucketMs);
    expect(await home.direct.pexpiretime(notes)).to.be.at.least(there.expiresAtMs + FOREIGN_REMEMBERED_MS);
    // Alone.
    await home.direct.unlink(notes);
    await home.provider.log.appendOnce(PARTITION, [{ ...here, provisional }]);
    expect(await home.direct.pexpiretime(notes)).to.be.at.least(here.expiresAtMs + FOREIGN_REMEMBERED_MS);
    await region.provider.log.appendOnce(PARTITION, [regionalEntry(here)]);
    const noted = async () => (await payloadsOf(home.provider.log, PARTITION)).at(-1)!.includes(provisional);
    await eventually('the valid call to say what it was before', noted);
  });

  it('brings nothing twice where two are at work, or one dies between append and trim', async () => {
    // One that never hears of what it brought, as if it had died: the next one sends the same again.
    const deaf: RelayedAppends = Object.assign(Object.create(home.provider.relayed), {
      identity: () => home.provider.relayed.identity(),
      appendRelayed: async (...call: Parameters<RelayedAppends['appendRelayed']>) => {
        await home.provider.relayed.appendRelayed(...call);
        if (call[2].entries.length > 0) throw new Error('dies here');
        return START;
      },
    });
    await acknowledge(700);
    const first = relay({ home: deaf });
    await eventually('some to be at home', async () => (await idsAtHome()).length > 0);
    const second = await region.connect();
    try {
      relay({ region: second });
      await acknowledge(300);
      await first.close();
      await acknowledge(10);
      await expectAllOnce();
    } finally {
      await relays.pop()!.close();
      await second.close();
    }
  });

  it('goes on when the link to home is back', async () => {
    relay();
    await acknowledge(10);
    await expectAllOnce();
    const restore = await home.interrupt!();
    await acknowledge(600);
    await eventually('the backlog to be seen', () => relays[0]!.backlog.entries >= 600);
    await restore();
    await expectAllOnce();
    await eventually('the backlog to be gone', () => relays[0]!.backlog.entries === 0);
  });

  it('complains once of a home that refuses it time and again', async () => {
    const warnings: string[] = [];
    let refused = 0;
    const { relayed } = home.provider;
    relay({
      home: {
        identity: () => relayed.identity(),
        appendRelayed: async (partition, source, batch) => {
          if (batch.entries.length === 0) return relayed.appendRelayed(partition, source, batch);
          refused += 1;
          throw new LogUnavailable(`away for the ${refused}th time`);
        },
      } as Partial<RelayedAppends> as RelayedAppends,
      logger: { ...SILENT, warn: (_, message) => warnings.push(message) },
    });
    await acknowledge(10);
    await eventually('home to have refused several times', () => refused >= 4);
    expect(warnings).to.deep.equal(['the relay of the region cannot go on: trying again']);
  });

  it('sends again what home has lost, with what home knows of the source', async () => {
    relay();
    await acknowledge(100);
    await expectAllOnce();
    const { direct } = home;
    const keys = await direct.keys(`{${home.prefix}:${PARTITION}}:*`);
    const image = await Promise.all(keys.map((key) => direct.dumpBuffer(key)));
    await acknowledge(100);
    await expectAllOnce();
    const back = direct.multi();
    for (const [index, key] of keys.entries()) back.restore(key, 0, image[index]!, 'REPLACE');
    await back.exec();
    await acknowledge(50);
    await expectAllOnce();
  });

  it('goes on under another name when the log of the region was lost', async () => {
    relay();
    await acknowledge(20);
    await expectAllOnce();
    const first = relays[0]!.source;
    const keys = await region.direct.keys(`{${region.prefix}*`);
    await region.direct.unlink(keys.filter((key) => key !== region.keys.partitions()));
    await acknowledge(20);
    await expectAllOnce();
    const sources = await home.provider.relayed.sources(PARTITION);
    expect(sources).to.have.lengthOf(2);
    expect(relays[0]!.source).not.to.equal(first);
    // The lost log may have had more: whoever waits for it goes on waiting until it is written off.
    expect((await readRegionsThrough(home.provider.relayed, 4)).behind).to.deep.equal([first]);
    for (let partition = 0; partition < 4; partition++) await home.provider.relayed.writeOff(partition, first, 'lost');
    expect((await readRegionsThrough(home.provider.relayed, 4)).behind).not.to.include(first);
  });

  for (const [when, isBetweenLooks] of [
    ['lost while it is cut off', false],
    ['lost between two looks at it', true],
  ] as const) {
    it(`names how much home did not have of a log that was ${when}`, async () => {
      const errors: object[] = [];
      const logger = { ...SILENT, error: (fields: object) => void errors.push(fields) };
      let loseAtNextLook = false;
      const lose = async () => {
        const keys = await region.direct.keys(`{${region.prefix}*`);
        await region.direct.unlink(keys.filter((key) => key !== region.keys.partitions()));
      };
      const { log, leases, relayed } = region.provider;
      const watched = {
        partitions: log.partitions,
        read: (...call: Parameters<typeof log.read>) => log.read(...call),
        wake: () => log.wake(),
        tail: async (partition: number) => {
          if (loseAtNextLook && partition === PARTITION) {
            loseAtNextLook = false;
            await lose();
          }
          return log.tail(partition);
        },
      } as typeof log;
      relay({ logger, region: { log: watched, leases, relayed } });
      await acknowledge(20);
      await expectAllOnce();
      const { source } = relays[0]!;
      const restore = await home.interrupt!();
      await acknowledge(30);
      await eventually('the backlog to be seen', () => relays[0]!.backlog.entries === 30);
      if (isBetweenLooks) loseAtNextLook = true;
      else await lose();
      await eventually('the loss to be named', () => errors.length > 0);
      expect(errors).to.deep.equal([{ source, partitions: 4, lost: 30 }]);
      await restore();
      acknowledged.length = 20;
      await acknowledge(5);
      await expectAllOnce();
    });
  }

  it('brings nothing again to a home that was lost', async () => {
    relay();
    await acknowledge(20);
    await expectAllOnce();
    const confirmed = async () => (await home.provider.relayed.sources(PARTITION))[0]!.position;
    const position = await confirmed();
    const noted = async () =>
      (await region.direct.hget(region.keys.lease(PARTITION), 'note'))?.split(' ')[1] === position;
    await eventually('it to be noted in the region', noted);
    // That is done once a second: what comes now is at home before it is noted.
    await acknowledge(20);
    await expectAllOnce();
    const keys = await home.direct.keys(`{${home.prefix}*`);
    await home.direct.unlink(keys.filter((key) => key !== home.keys.partitions()));
    acknowledged = [];
    await acknowledge(20);
    await expectAllOnce();
  });

  it('trims what is at home, after a while', async () => {
    relay({ retainMs: 1_000 });
    await acknowledge(30);
    await expectAllOnce();
    const length = async () => (await region.provider.log.tail(PARTITION)).length;
    expect(await length()).to.equal(30);
    await eventually('the region to be trimmed', async () => (await length()) === 0);
    const [cursor] = await region.provider.leases.cursors([PARTITION]);
    const { position } = (await home.provider.relayed.sources(PARTITION))[0]!;
    expect(comparePositions(cursor!, position)).to.be.at.most(0);
    expect(positionTimeMs(cursor!)).to.be.greaterThan(0);
  });
});
