import { expect } from 'chai';
import type { Campaign } from '#exchange/strategy/document/campaign';
import { AskedDelegates } from './asked-delegates.ts';

const AUCTIONS = 6_000;
/** χ² by degrees of freedom, larger once in a million times. */
const CRITICAL: Readonly<Record<number, number>> = { 1: 23.9, 2: 27.6, 3: 30.7 };

const creative = (creative_id: string, fields: object = {}) => ({
  creative_id,
  html: `<b>${creative_id}</b>`,
  width: 300,
  height: 250,
  ...fields,
});
const WIDE = { id: '1', banner: { w: 728, h: 90 } };

/** How often each creative was bid with. */
async function shown(delegates: AskedDelegates, imps: readonly object[][] = []): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let auction = 0; auction < AUCTIONS; auction += 1) {
    const imp = imps.length === 0 ? undefined : imps[auction % imps.length];
    for (const { crid } of await delegates.bids(null, imp)) counts.set(crid!, (counts.get(crid!) ?? 0) + 1);
  }
  return counts;
}

function rotating(rotation_strategy: Campaign['rotation_strategy'], creatives: Campaign['creatives']): AskedDelegates {
  return new AskedDelegates({ id: 'campaign-1', rotation_strategy, creatives } as never);
}

function expectShares(counts: ReadonlyMap<string, number>, shares: Readonly<Record<string, number>>): void {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const names = Object.keys(shares);
  expect([...counts.keys()].sort()).to.deep.equal(names.filter((name) => shares[name]! > 0).sort());
  const distance = names.reduce((sum, name) => {
    const expected = shares[name]! * total;
    return expected === 0 ? sum : sum + ((counts.get(name) ?? 0) - expected) ** 2 / expected;
  }, 0);
  const freedom = names.filter((name) => shares[name]! > 0).length - 1;
  expect(distance, JSON.stringify([...counts])).to.be.below(CRITICAL[freedom]!);
}

describe('creatives in rotation, over auctions', () => {
  it('weighted: by their weights, relative to each other', async () => {
    const creatives = [creative('a', { weight: 1 }), creative('b', { weight: 3 }), creative('c', { weight: 0 })];
    expectShares(await shown(rotating('weighted', creatives)), { a: 0.25, b: 0.75, c: 0 });
  });

  it('weighted: a missing weight counts as the mean of those given; without any, all are equal', async () => {
    const some = [creative('a', { weight: 1 }), creative('b', { weight: 3 }), creative('c')];
    expectShares(await shown(rotating(undefined, some)), { a: 1 / 6, b: 3 / 6, c: 2 / 6 });
    const none = [creative('a'), creative('b'), creative('c')];
    expectShares(await shown(rotating('weighted', none)), { a: 1 / 3, b: 1 / 3, c: 1 / 3 });
  });

  it('random: all alike, whatever their weights', async () => {
    const creatives = [creative('a', { weight: 1 }), creative('b', { weight: 99 })];
    expectShares(await shown(rotating('random', creatives)), { a: 0.5, b: 0.5 });
  });

  it('round_robin: exactly equal, whatever their weights and whatever lies between', async () => {
    const wide = (id: string) => creative(id, { width: 728, height: 90, weight: 50 });
    const delegates = rotating('round_robin', [creative('a', { weight: 1 }), wide('w'), creative('b'), wide('v')]);
    // Two sizes in rotation: a shared count would always show the same creative of each.
    const counts = await shown(delegates, [[{ id: '1', banner: { w: 300, h: 250 } }], [WIDE]]);
    expect(Object.fromEntries(counts)).to.deep.equal({ a: 1_500, b: 1_500, v: 1_500, w: 1_500 });
  });

  it('round_robin: exactly equal on each imp of a request, and different ones on its imps', async () => {
    const imps = ['1', '2'].map((id) => ({ id, banner: { w: 300, h: 250 } }));
    for (const names of [
      ['a', 'b'],
      ['a', 'b', 'c'],
    ]) {
      const delegates = rotating('round_robin', [...names].map((name) => creative(name)) as never);
      const counts = new Map<string, number>();
      for (let auction = 0; auction < AUCTIONS; auction += 1) {
        const bids = await delegates.bids(null, imps);
        expect(new Set(bids.map(({ crid }) => crid)).size).to.equal(2);
        for (const { impid, crid } of bids) counts.set(`${impid} ${crid}`, (counts.get(`${impid} ${crid}`) ?? 0) + 1);
      }
      const equal = AUCTIONS / names.length;
      const all = ['1', '2'].flatMap((id) => names.map((name) => [`${id} ${name}`, equal]));
      expect(Object.fromEntries(counts)).to.deep.equal(Object.fromEntries(all));
    }
  });

  it('round_robin: equal on each slot of a page that asks for them one after the other', async () => {
    const delegates = rotating('round_robin', [creative('a'), creative('b')]);
    const slots = [new Map<string, number>(), new Map<string, number>()];
    for (let auction = 0; auction < AUCTIONS; auction += 1) {
      const counts = slots[auction % 2]!;
      for (const { crid } of await delegates.bids(null)) counts.set(crid!, (counts.get(crid!) ?? 0) + 1);
    }
    for (const counts of slots) expectShares(counts, { a: 0.5, b: 0.5 });
  });

  it('only those that fit the imp and have their assets are rotated', async () => {
    const absent = { creative_id: 'absent', image_url: 'https://cdn.test/absent.png', width: 300, height: 250 };
    const creatives = [creative('a'), creative('b'), absent, creative('wide', { width: 728, height: 90 })];
    expectShares(await shown(rotating('random', creatives as never)), { a: 0.5, b: 0.5 });
  });
});
