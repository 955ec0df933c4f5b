import { expect } from 'chai';
import { LogUnavailable } from '#runtime/ports/errors';
import type { SharedRecords } from '#runtime/ports/shared-records';
import type { RedisLogProvider } from '#runtime/providers/redis/open-redis-log';
import { groupOfRecord } from '#runtime/providers/redis/redis-shared-records';
import { redisUrl } from '#test/support/real-servers';
import { openRedisHarness, type RedisLogHarness } from './redis-log-harness.ts';

describe('shared records in Redis', () => {
  let harness: RedisLogHarness;
  let records: SharedRecords;
  let others: RedisLogProvider;
  let commands = 0;

  before(async function () {
    const begun = () => {
      commands += 1;
    };
    const observer = { begun, ended: () => undefined };
    harness = await openRedisHarness(redisUrl(this), { observer });
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

  it('share a command for each group when they are read or replaced in one turn', async () => {
    const ids = Array.from({ length: 300 }, (_, n) => `shared-${n}`);
    const groups = new Set(ids.map(groupOfRecord)).size;
    await records.replace(ids[3]!, null, 'there before');
    const beforeReplacing = commands;
    const replaced = await Promise.all(ids.map((id) => records.replace(id, null, `text of ${id}`)));
    expect(commands - beforeReplacing).to.equal(groups);
    expect(ids.filter((_, at) => !replaced[at])).to.deep.equal([ids[3]]);
    const beforeReading = commands;
    const read = await Promise.all([...ids, 'not-there'].map((id) => records.read(id)));
    expect(commands - beforeReading).to.be.within(groups, groups + 1);
    const texts = read.map((record) => record?.text ?? null);
    const written = ids.map((id, at) => (at === 3 ? 'there before' : `text of ${id}`));
    expect(texts).to.deep.equal([...written, null]);
    const twice = ['one', 'two'].map((text) => records.replace(ids[0]!, read[0]!.version, text));
    expect(await Promise.all(twice), 'of the same version').to.deep.equal([true, false]);
    const removed = ids.slice(0, 2).map((id, at) => records.replace(id, at === 1 ? read[1]!.version : null, null));
    expect(await Promise.all(removed)).to.deep.equal([false, true]);
    expect(await records.read(ids[1]!)).to.equal(null);
  });

  it('say when it is not known whether they were replaced', async () => {
    const restore = await harness.interrupt!();
    const failed = await records.replace('c', null, 'one').catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(LogUnavailable);
    await restore();
  });
});
