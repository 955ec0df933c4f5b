import { expect } from 'chai';
import { Semaphore } from '../../async/semaphore.ts';

describe('async/semaphore', () => {
  const held = () => {
    let letGo = () => {};
    const holding = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    return { holding, letGo };
  };

  it('lets as much work of each key go on at once as it has permits, in order', async () => {
    const semaphore = new Semaphore(2);
    const begun: string[] = [];
    const { holding, letGo } = held();
    const work = (name: string) => async () => {
      begun.push(name);
      await holding;
    };
    const all = ['1', '2', '3', '4'].map((name) => semaphore.run(work(name), { key: 'a' }));
    await semaphore.run(async () => void begun.push('of another'), { key: 'b' });
    expect(begun).to.deep.equal(['1', '2', 'of another']);
    letGo();
    await Promise.all(all);
    expect(begun).to.deep.equal(['1', '2', 'of another', '3', '4']);
  });

  it('begins the work before it returns where a permit is free', () => {
    let begun = false;
    void new Semaphore(1).run(async () => {
      begun = true;
    });
    expect(begun).to.equal(true);
  });

  it('passes the permit of work that fails on, and over those that have given up', async () => {
    const semaphore = new Semaphore(1);
    const { holding, letGo } = held();
    const first = semaphore.run(async () => {
      await holding;
      throw new Error('failed');
    });
    const given = new AbortController();
    const second = semaphore.run(async () => 'second', { signal: given.signal }).catch((error: Error) => error.message);
    const third = semaphore.run(async () => 'third');
    given.abort(new Error('given up'));
    expect(await second).to.equal('given up');
    letGo();
    expect(await first.catch((error: Error) => error.message)).to.equal('failed');
    expect(await third).to.equal('third');
    expect(await semaphore.run(async () => 'again')).to.equal('again');
  });

  it('begins nothing for a signal that is aborted already', async () => {
    let begun = false;
    const work = async () => {
      begun = true;
    };
    const outcome = await new Semaphore(1)
      .run(work, { signal: AbortSignal.abort(new Error('over')) })
      .catch((error: Error) => error.message);
    expect([outcome, begun]).to.deep.equal(['over', false]);
  });

  it('keeps as many waiting as its bound says and refuses the rest', async () => {
    const refusal = new Error('full');
    const semaphore = new Semaphore(2, { waiting: 1, refusal: () => refusal });
    const started: number[] = [];
    const ends: (() => void)[] = [];
    const work = (number: number) =>
      semaphore.run(() => {
        started.push(number);
        return new Promise<number>((resolve) => ends.push(() => resolve(number)));
      });
    const working = [work(1), work(2), work(3)];
    expect(await work(4).catch((error: unknown) => error)).to.equal(refusal);
    expect(started).to.deep.equal([1, 2]);
    ends[1]!();
    expect(await working[1]).to.equal(2);
    await new Promise(setImmediate);
    expect(started).to.deep.equal([1, 2, 3]);
    ends[0]!();
    ends[2]!();
    expect(await Promise.all(working)).to.deep.equal([1, 2, 3]);
  });
});
