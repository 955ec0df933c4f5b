import { expect } from 'chai';
import { PartitionBatches } from '#edge/impressions/partition-batches';

/** A call that was made, to be answered. */
interface Call {
  readonly partition: number;
  readonly items: readonly number[];
  readonly answer: (outcomes: readonly number[]) => void;
  readonly fail: (error: Error) => void;
}

describe('batches of a partition', () => {
  let calls: Call[];
  let batches: PartitionBatches<number, number>;

  beforeEach(() => {
    calls = [];
    batches = new PartitionBatches(
      2,
      (partition, items) => new Promise((answer, fail) => calls.push({ partition, items, answer, fail })),
    );
  });

  it('take what arrives in one turn in one call, in its order, and 500 items at most', async () => {
    const outcomes = Promise.all(Array.from({ length: 1_200 }, (_, item) => batches.add(item % 2, item)));
    expect([batches.waiting, batches.waitingFor(1)]).to.deep.equal([1_200, 600]);
    await turn();
    expect(calls.map(({ partition, items }) => [partition, items.length, items[0]])).to.deep.equal([
      [0, 500, 0],
      [1, 500, 1],
    ]);
    for (const { items, answer } of calls.splice(0)) answer(items);
    await turn();
    expect(calls.map(({ items }) => [items.length, items[0]])).to.deep.equal([
      [100, 1_000],
      [100, 1_001],
    ]);
    for (const { items, answer } of calls.splice(0)) answer(items);
    expect(await outcomes).to.deep.equal(Array.from({ length: 1_200 }, (_, item) => item));
    expect([batches.waiting, batches.waitingFor(1)]).to.deep.equal([0, 0]);
  });

  it('are four at once under way, and what arrives meanwhile shares the next', async () => {
    const outcomes: Promise<number>[] = [];
    for (let item = 0; item < 8; item++) {
      outcomes.push(batches.add(0, item));
      await turn();
    }
    expect(calls.map(({ items }) => items)).to.deep.equal([[0], [1], [2], [3]]);
    calls.splice(2, 1)[0]!.answer([2]);
    await turn();
    expect(calls.map(({ items }) => items)).to.deep.equal([[0], [1], [3], [4, 5, 6, 7]]);
    for (const { items, answer } of calls) answer(items);
    expect(await Promise.all(outcomes)).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('fail together, and no others with them', async () => {
    const failed = Promise.allSettled([batches.add(0, 1), batches.add(0, 2)]);
    const other = batches.add(1, 3);
    await turn();
    calls[0]!.fail(new Error('no answer'));
    calls[1]!.answer([3]);
    expect((await failed).map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(await other).to.equal(3);
    const later = batches.add(0, 4);
    await turn();
    calls.at(-1)!.answer([4]);
    expect(await later).to.equal(4);
  });

  it('reject their items where the call cannot be made, and go on', async () => {
    let isBroken = true;
    const breaking = new PartitionBatches<number, number>(1, (_, items) => {
      if (isBroken) throw new Error('cannot be made');
      return Promise.resolve(items);
    });
    expect(await breaking.add(0, 1).catch(({ message }: Error) => message)).to.equal('cannot be made');
    expect(breaking.waiting).to.equal(0);
    isBroken = false;
    expect(await breaking.add(0, 2)).to.equal(2);
  });
});

/** Resolves after this turn of the event loop and the next. */
async function turn(): Promise<void> {
  for (let left = 2; left > 0; left--) await new Promise((resolve) => setImmediate(resolve));
}
