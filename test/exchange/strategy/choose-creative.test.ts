import { expect } from 'chai';
import fc from 'fast-check';
import { chooseCreative, type Rotation } from '#exchange/strategy/choose-creative';

interface Weighted {
  readonly name: string;
  readonly weight?: number;
}
type Creatives = readonly [Weighted, ...Weighted[]];

const creatives = (...weights: (number | undefined)[]): Creatives =>
  weights.map((weight, index) => ({
    name: 'abcdef'[index]!,
    ...(weight === undefined ? {} : { weight }),
  })) as unknown as Creatives;

/** Shares of a choice by every thousandth of chance: exact, where a sample would be near. */
function shares(of: Creatives, rotation: Rotation): number[] {
  const counts = new Map<string, number>();
  for (let step = 0; step < 1000; step++) {
    const { name } = chooseCreative(of, rotation, { sequence: step, random: (step + 0.5) / 1000 });
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return of.map(({ name }) => (counts.get(name) ?? 0) / 1000);
}

describe('exchange/strategy/choose-creative', () => {
  it('goes by weights, which are relative', () => {
    expect(shares(creatives(3, 1), 'weighted')).to.deep.equal([0.75, 0.25]);
    expect(shares(creatives(0.2, 0.2, 0.4), 'weighted')).to.deep.equal([0.25, 0.25, 0.5]);
    expect(shares(creatives(5, 0), 'weighted')).to.deep.equal([1, 0]);
  });
  it('without weights, or with zeros alone, all are equal', () => {
    expect(shares(creatives(undefined, undefined), 'weighted')).to.deep.equal([0.5, 0.5]);
    expect(shares(creatives(0, 0, undefined, 0), 'weighted')).to.deep.equal([0.25, 0.25, 0.25, 0.25]);
  });
  it('missing weights are the mean of those given', () =>
    expect(shares(creatives(1, undefined, 3), 'weighted')).to.deep.equal(
      [1 / 6, 1 / 3, 1 / 2].map((share) => Math.round(share * 1000) / 1000),
    ));
  it('round_robin and random take all alike, whatever the weights', () => {
    expect(shares(creatives(9, 1), 'round_robin')).to.deep.equal([0.5, 0.5]);
    expect(shares(creatives(9, 1), 'random')).to.deep.equal([0.5, 0.5]);
    const turns = [0, 1, 2, 3].map(
      (sequence) => chooseCreative(creatives(1, 1, 1), 'round_robin', { sequence, random: 0 }).name,
    );
    expect(turns).to.deep.equal(['a', 'b', 'c', 'a']);
  });
  it('always chooses one, and never one of weight 0 beside others', () => {
    const weights = fc.array(fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: undefined }), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(
        weights,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.nat(),
        (given, random, sequence) => {
          const of = creatives(...given);
          for (const rotation of ['weighted', 'round_robin', 'random'] as const) {
            expect(of).to.include(chooseCreative(of, rotation, { sequence, random }));
          }
          const chosen = chooseCreative(of, 'weighted', { sequence, random });
          if (given.some((weight) => weight !== undefined && weight > 0)) expect(chosen.weight).not.to.equal(0);
        },
      ),
    );
  });
});
