import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { LogUnavailable, StoreUnavailable } from '#runtime/ports/errors';
import { CommitGroup } from '#runtime/providers/embedded/commit-group';
import { type Environment, openEnvironment } from '#runtime/providers/embedded/environment';
import { type DataFolder, freshDataFolder } from './data-folder.ts';

describe('group commit', () => {
  let data: DataFolder;
  let environment: Environment;
  let group: CommitGroup;
  let commits: number;
  let losses: number;
  beforeEach(async () => {
    data = await freshDataFolder();
    environment = openEnvironment(data.folder);
    group = new CommitGroup(environment.root);
    commits = 0;
    losses = 0;
    group.join({ durable: () => void commits++, lost: () => void losses++ });
  });
  afterEach(async () => {
    await group.close();
    await environment.root.close();
    await data.remove();
  });

  const put = (key: string, value: string) =>
    group.write(() => {
      environment.marks.put(key, value);
      return key;
    }, StoreUnavailable);

  it('takes all writes of one event-loop turn to disk together, in order, each with its own result', async () => {
    const order: string[] = [];
    const keys = Array.from({ length: 100 }, (_, at) => `key ${at}`);
    const written = await Promise.all(
      keys.map(async (key) => {
        const result = await put(key, key);
        order.push(result);
        return result;
      }),
    );
    expect(written).to.deep.equal(keys);
    expect(order).to.deep.equal(keys);
    expect(commits).to.equal(1);
    expect(environment.marks.get('key 99')).to.equal('key 99');
  });

  it('gathers what comes while a group is on its way into the next', async () => {
    const first = put('a', '1');
    await new Promise(setImmediate);
    const others = Array.from({ length: 50 }, async (_, at) => put(`b${at}`, '2'));
    await Promise.all([first, ...others]);
    expect(commits).to.equal(2);
  });

  it('leaves to the next group what would hold the event loop for long', async () => {
    const busy = (forMs: number) => {
      for (const until = performance.now() + forMs; performance.now() < until; );
    };
    const busyWrite = (at: number) =>
      group.write(() => {
        busy(2);
        return at;
      }, StoreUnavailable);
    const writes = Array.from({ length: 64 }, (_, at) => busyWrite(at));
    expect(await Promise.all(writes)).to.deep.equal(writes.map((_, at) => at));
    expect(commits).to.be.within(2, 5);
  });

  it('takes nothing more to disk once it was given up, and says why', async () => {
    await put('before', '1');
    const waiting = put('waiting', '2').catch((error: Error) => error);
    group.giveUp(new Error('taken over'));
    const late = put('late', '3').catch((error: Error) => error);
    for (const error of [await waiting, await late]) {
      expect(error).to.be.instanceOf(StoreUnavailable).with.property('message', 'taken over');
    }
    expect(await group.close()).to.equal(true);
    expect(environment.marks.get('before')).to.equal('1');
    expect(environment.marks.get('waiting')).to.equal(undefined);
  });

  it('lets one write fail without harm to the others', async () => {
    const outcomes = await Promise.allSettled([
      put('a', '1'),
      group.write(() => {
        throw new RangeError('refused');
      }, StoreUnavailable),
      put('b', '2'),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
    expect((outcomes[1] as PromiseRejectedResult).reason).to.be.instanceOf(RangeError);
    expect([environment.marks.get('a'), environment.marks.get('b'), losses]).to.deep.equal(['1', '2', 0]);
  });

  it('finishes what was written before it closes, and refuses what comes after', async () => {
    const before = put('a', '1');
    const closing = group.close();
    const after = await put('b', '2').catch((error: unknown) => error);
    expect(await closing).to.equal(true);
    expect(await before).to.equal('a');
    expect(after).to.be.instanceOf(StoreUnavailable);
    expect(await group.write(() => 1, LogUnavailable).catch((error: unknown) => error)).to.be.instanceOf(
      LogUnavailable,
    );
  });

  describe('beside a disk that is slow', () => {
    const diskOf = (batch: () => Promise<unknown>) => ({ batch: batch as unknown as Environment['root']['batch'] });

    it('takes a disk that does not answer for one that hangs, and refuses further writes', async () => {
      const hanging = new CommitGroup(
        diskOf(() => new Promise(() => {})),
        1,
      );
      const refused = await hanging.write(() => 1, StoreUnavailable).catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(StoreUnavailable);
      expect(hanging.refusal?.message).to.equal('the disk did not answer within 15 ms');
      expect(await hanging.close()).to.equal(false);
    });

    it('goes on after the process has stood still for longer than that', async () => {
      // Answers come from a thread, as those of lmdb do: after the timers that have become due meanwhile.
      const slow = new CommitGroup(
        diskOf(() => promisify(randomBytes)(16)),
        4,
      );
      const written = slow.write(() => 1, StoreUnavailable);
      setImmediate(() => {
        const untilMs = performance.now() + 200;
        while (performance.now() < untilMs);
      });
      await written;
      expect(slow.refusal).to.equal(undefined);
      expect(await slow.close()).to.equal(true);
    });
  });
});
