import { expect } from 'chai';
import { UnderWay } from '#edge/under-way';
import { movedToOldGeneration } from '#test/support/moved-to-old-generation';

interface Entry {
  readonly held: readonly object[];
}

/** Some 40 KB. */
const entry = (): Entry => ({ held: Array.from({ length: 1_000 }, (_, index) => ({ index })) });

describe('edge/under-way', () => {
  it('finds what is under way by its number, and the latest of one number', () => {
    const table = new UnderWay<Entry>();
    const [one, two, three] = [entry(), entry(), entry()];
    table.set(0, one);
    table.set(2 ** 52, two);
    expect(table.get(0)).to.equal(one);
    expect(table.get(2 ** 52)).to.equal(two);
    expect(table.get(1)).to.equal(undefined);
    table.set(0, three);
    expect(table.get(0)).to.equal(three);
    expect(table.size).to.equal(2);
  });

  it('forgets what is deleted, once, and uses its place again', () => {
    const table = new UnderWay<Entry>();
    for (let key = 0; key < 10; key++) table.set(key, entry());
    table.delete(3);
    table.delete(3);
    table.delete(11);
    expect(table.size).to.equal(9);
    expect(table.get(3)).to.equal(undefined);
    const [next, after] = [entry(), entry()];
    table.set(20, next);
    table.set(21, after);
    expect(table.get(20)).to.equal(next);
    expect(table.get(21)).to.equal(after);
    expect(table.size).to.equal(11);
  });

  it('leaves nothing of what is gone for the collector to carry along', () => {
    const table = new UnderWay<Entry>();
    let key = 0;
    const moved = movedToOldGeneration(() => {
      table.set(key, entry());
      table.delete(key - 16);
      key++;
    });
    expect(table.size).to.equal(16);
    // A Map of the same entries moves 25 MB or more.
    expect(moved).to.be.below(500_000);
  });
});
