import { expect } from 'chai';
import { mapLimit } from '../../async/map-limit.ts';

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

describe('async/map-limit', () => {
  it('answers in the order given, however long each takes', async () => {
    const ends: (() => void)[] = [];
    const mapping = mapLimit(['a', 'b', 'c'], 3, async (one, index) => {
      await new Promise<void>((resolve) => ends.push(resolve));
      return `${one}${index}`;
    });
    for (const end of ends.reverse()) end();
    expect(await mapping).to.deep.equal(['a0', 'b1', 'c2']);
  });

  it('has no more under way than the limit, and begins the first before it returns', async () => {
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const mapping = mapLimit([1, 2, 3, 4], 2, (one) => {
      begun.push(one);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
    expect(begun).to.deep.equal([1, 2]);
    ends[1]!();
    await turn();
    expect(begun).to.deep.equal([1, 2, 3]);
    ends[0]!();
    ends[2]!();
    await turn();
    ends[3]!();
    await mapping;
    expect(begun).to.deep.equal([1, 2, 3, 4]);
  });

  it('rejects with the first failure and begins no more', async () => {
    const begun: number[] = [];
    const failed = await mapLimit([1, 2, 3, 4, 5], 2, async (one) => {
      begun.push(one);
      await turn();
      if (one === 2) throw new Error('2 failed');
    }).catch((error: Error) => error.message);
    await turn();
    expect([failed, begun]).to.deep.equal(['2 failed', [1, 2, 3]]);
  });

  it('answers nothing of nothing', async () => {
    expect(await mapLimit([], 5, async () => expect.fail('there is nothing'))).to.deep.equal([]);
  });
});
