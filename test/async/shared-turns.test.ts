import { expect } from 'chai';
import { SharedTurns } from '#async/shared-turns';

/** A work that runs until it is ended, and whether it has begun. */
class Work {
  begun = false;
  end = () => {};
  fail = (_error: Error) => {};
  readonly run = () => {
    this.begun = true;
    return new Promise<void>((resolve, reject) => {
      this.end = resolve;
      this.fail = reject;
    });
  };
}

describe('shared turns', () => {
  const works = (count: number) => Array.from({ length: count }, () => new Work());
  const begun = (...all: readonly Work[]) => all.map((work) => work.begun);

  it('begin at once beside others, and alone where nothing runs', async () => {
    const turns = new SharedTurns();
    const [first, second, alone] = works(3) as [Work, Work, Work];
    const ends = [turns.run(first.run), turns.run(second.run)];
    expect(begun(first, second)).to.deep.equal([true, true]);
    first.end();
    second.end();
    await Promise.all(ends);
    void turns.runAlone(alone.run);
    expect(alone.begun).to.equal(true);
  });

  it('let one that is alone wait for those that run, and later ones wait for it, in their order', async () => {
    const turns = new SharedTurns();
    const [first, alone, third, fourth, fifth] = works(5) as [Work, Work, Work, Work, Work];
    const firstEnds = turns.run(first.run);
    const aloneEnds = turns.runAlone(alone.run);
    const thirdEnds = turns.run(third.run);
    const fourthEnds = turns.run(fourth.run);
    void turns.runAlone(fifth.run);
    expect(begun(alone, third, fourth, fifth)).to.deep.equal([false, false, false, false]);
    first.end();
    await firstEnds;
    await Promise.resolve();
    expect(begun(alone, third, fourth, fifth)).to.deep.equal([true, false, false, false]);
    alone.end();
    await aloneEnds;
    await Promise.resolve();
    expect(begun(third, fourth, fifth)).to.deep.equal([true, true, false]);
    third.end();
    await thirdEnds;
    await Promise.resolve();
    expect(fifth.begun).to.equal(false);
    fourth.end();
    await fourthEnds;
    await Promise.resolve();
    expect(fifth.begun).to.equal(true);
  });

  it('go on after a work that failed', async () => {
    const turns = new SharedTurns();
    const [failing, next] = works(2) as [Work, Work];
    const failed = turns.runAlone(failing.run).catch((error: Error) => error.message);
    void turns.run(next.run);
    failing.fail(new Error('failed'));
    expect(await failed).to.equal('failed');
    await Promise.resolve();
    expect(next.begun).to.equal(true);
  });
});
