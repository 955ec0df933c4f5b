import { expect } from 'chai';
import { LogUnavailable } from '#runtime/ports/errors';
import type { SharedRecords } from '#runtime/ports/shared-records';
import type { RedisLogProvider } from '#runtime/providers/redis/open-redis-log';
import { redisUrl } from '#test/support/real-servers';
import { openRedisHarness, type RedisLogHarness } from './redis-log-harness.ts';

describe('shared records in Redis', () => {
  let harness: RedisLogHarness;
  let records: SharedRecords;
  let others: RedisLogProvider;

  before(async function () {
    harness = await openRedisHarness(redisUrl(this));
    records = (harness.provider as RedisLogProvider).records;
    others = (await harness.connect()) as RedisLogProvider;
  });

  after(async () => {
    await others?.close();
    await harness?.close();
  });

  it('are made, replaced and removed by who has read the last version', async () => {
    expect(await records.read('a')).to.equal(null);
    expect(await records.replace('a', null, 'one')).to.equal(true);
    expect(await records.replace('a', null, 'two'), 'it is there').to.equal(false);
    const first = await others.records.read('a');
    expect(first!.text).to.equal('one');
    expect(await others.records.replace('a', first!.version, 'two\nlines')).to.equal(true);
    expect(await records.replace('a', first!.version, 'three'), 'it was replaced').to.equal(false);
    const second = await records.read('a');
    expect(second!.text).to.equal('two\nlines');
    expect(await records.replace('a', first!.version, null)).to.equal(false);
    expect(await records.replace('a', second!.version, null)).to.equal(true);
    expect(await records.read('a')).to.equal(null);
  });

  it('have another version each time, although the text is the same', async () => {
    await records.replace('b', null, 'same');
    const first = await records.read('b');
    await records.replace('b', first!.version, null);
    await records.replace('b', null, 'same');
    expect(await records.replace('b', first!.version, 'other')).to.equal(false);
  });

  it('lose no change of two processes that count in one record', async () => {
    const count = async (own: SharedRecords) => {
      for (let done = 0; done < 50; ) {
        const known = await own.read('count');
        if (await own.replace('count', known?.version ?? null, `${Number(known?.text ?? 0) + 1}`)) done += 1;
      }
    };
    await Promise.all([count(records), count(others.records)]);
    expect((await records.read('count'))!.text).to.equal('100');
  });

  it('are each in one group', async () => {
    const ids = Array.from({ length: 40 }, (_, n) => `listed-${n}`);
    await Promise.all(ids.map((id) => records.replace(id, null, `text of ${id}`)));
    const groups = await Promise.all(Array.from({ length: records.groups }, (_, group) => records.list(group)));
    const listed = groups.flat().filter(({ id }) => id.startsWith('listed-'));
    expect(listed.map(({ id }) => id)).to.have.members(ids);
    for (const { id, text } of listed) expect(text).to.equal(`text of ${id}`);
    expect(groups.filter((group) => group.length > 0).length).to.be.above(1);
  });

  it('say when it is not known whether they were replaced', async () => {
    const restore = await harness.interrupt!();
    const failed = await records.replace('c', null, 'one').catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(LogUnavailable);
    await restore();
  });
});
