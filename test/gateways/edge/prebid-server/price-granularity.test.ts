import { expect } from 'chai';
import { priceBucket, readPriceGranularity } from '#gateways/edge/prebid-server/price-granularity';

const AT = 'ext.prebid.targeting.pricegranularity';
const bucketsOf = (granularity: unknown, ...cpms: number[]) =>
  cpms.map((cpm) => priceBucket(Math.round(cpm * 1_000_000), readPriceGranularity(granularity, AT)));

describe('gateways/edge/prebid-server/price-granularity', () => {
  for (const [name, cpms, buckets] of [
    ['low', [0.49, 0.5, 4.99, 5, 5.01], ['0.00', '0.50', '4.50', '5.00', '5.00']],
    ['medium', [0.09, 0.1, 0.3, 19.99, 20, 99], ['0.00', '0.10', '0.30', '19.90', '20.00', '20.00']],
    ['med', [1.87], ['1.80']],
    ['high', [0.01, 0.29, 4.35, 20.5], ['0.01', '0.29', '4.35', '20.00']],
    ['auto', [0.04, 0.05, 5.09, 5.1, 10.49, 10.5], ['0.00', '0.05', '5.00', '5.10', '10.00', '10.50']],
    ['dense', [0.01, 3.04, 3.05, 8.49, 8.5], ['0.01', '3.00', '3.05', '8.00', '8.50']],
  ] as const) {
    it(`rounds down to the steps of ${name}`, () => {
      expect(bucketsOf(name, ...cpms)).to.deep.equal(buckets);
    });
  }

  it('takes custom ranges, each from the end of the one before it', () => {
    const custom = {
      precision: 3,
      ranges: [
        { max: 1, increment: 0.25 },
        { max: 11, increment: 2 },
      ],
    };
    expect(bucketsOf(custom, 0.2, 0.74, 1, 2.9, 3, 12)).to.deep.equal([
      '0.000',
      '0.500',
      '1.000',
      '1.000',
      '3.000',
      '11.000',
    ]);
    expect(bucketsOf({ ranges: [{ max: 5, increment: 1 }] }, 3.5)).to.deep.equal(['3.00']);
  });

  for (const [what, granularity, path] of [
    ['an unknown name', 'coarse', AT],
    ['a number', 5, AT],
    ['no ranges', {}, `${AT}.ranges`],
    ['an empty list', { ranges: [] }, `${AT}.ranges`],
    ['101 ranges', { ranges: Array.from({ length: 101 }, (_, at) => ({ max: at + 1, increment: 1 })) }, `${AT}.ranges`],
    ['a negative precision', { precision: -1, ranges: [{ max: 1, increment: 1 }] }, `${AT}.precision`],
    ['an increment of 0', { ranges: [{ max: 1, increment: 0 }] }, `${AT}.ranges[0].increment`],
    [
      'ranges that fall',
      {
        ranges: [
          { max: 2, increment: 1 },
          { max: 1, increment: 1 },
        ],
      },
      `${AT}.ranges[1].max`,
    ],
    ['a range that is none', { ranges: [null] }, `${AT}.ranges[0].max`],
  ] as const) {
    it(`refuses ${what}`, () => {
      expect(() => readPriceGranularity(granularity, AT))
        .to.throw()
        .with.property('field', path);
    });
  }
});
