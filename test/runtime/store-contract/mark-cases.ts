import { expect } from 'chai';
import type { DeclareTest } from './fixture.ts';

export function markCases(it: DeclareTest): void {
  it('raises the high water of a partition and never lowers it', async ({ store, other }) => {
    expect(await store.highWater(7)).to.equal('0-0');
    await store.raiseHighWater(7, '1795250000000-9');
    await store.raiseHighWater(7, '1795250000000-10');
    await store.raiseHighWater(7, '1795250000000-2');
    await store.raiseHighWater(7, '999-99');
    expect(await store.highWater(7)).to.equal('1795250000000-10');
    expect(await store.highWater(8)).to.equal('0-0');
    await store.raiseHighWater(7, '1795250000001-0');
    expect(await other.highWater(7)).to.equal('1795250000001-0');
  });

  it('keeps the highest of those raised at the same time', async ({ store, other }) => {
    const writers = [store, other];
    const sequences = [3, 17, 2, 29, 5, 11, 23, 7];
    await Promise.all(
      sequences.map((sequence, index) => writers[index % 2]!.raiseHighWater(9, `1795250000000-${sequence}`)),
    );
    expect(await store.highWater(9)).to.equal('1795250000000-29');
  });

  it('settles a name once, whoever asks', async ({ store, other }) => {
    const writers = [store, other];
    for (let round = 0; round < 10; round += 1) {
      const name = `secret.$${round}`;
      const values = ['a', 'b', 'c', 'd', 'e'].map((letter) => `${letter}-${round}`);
      const kept = await Promise.all(values.map((value, index) => writers[index % 2]!.settle(name, value)));
      expect(new Set(kept).size, `round ${round}: ${kept}`).to.equal(1);
      expect(values).to.include(kept[0]);
      expect(await store.settle(name, 'late')).to.equal(kept[0]);
    }
  });

  it('is healthy', async ({ store }) => {
    expect(await store.healthy()).to.equal(true);
  });
}
