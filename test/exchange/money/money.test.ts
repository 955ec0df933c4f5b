import { expect } from 'chai';
import fc from 'fast-check';
import { centsOf, centsText, ecpmCentsOf, exactCentsOf, nanosOfCents, wholeCentsOf } from '#exchange/money/cents';
import { feeNanos } from '#exchange/money/fee';
import { divideHalfEven } from '#exchange/money/half-even';
import { addNanos, nanosPerImpression } from '#exchange/money/nanos';
import { cpmMicros, cpmOf, MAX_CPM } from '#exchange/money/price';
import { ratio } from '#exchange/money/ratio';

const bigints = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });

describe('money', () => {
  describe('the dictionary, worked', () => {
    it('a CPM of 2.50 moves 2,500 micro-dollars, 0.25 cents, for each impression', () => {
      const priceCpmMicros = cpmMicros(2.5);
      expect(priceCpmMicros).to.equal(2_500_000);
      const nanos = nanosPerImpression(priceCpmMicros);
      expect(nanos / 1_000).to.equal(2_500);
      expect(centsOf(BigInt(nanos))).to.equal(0.25);
    });

    it('a fee of 15 % leaves the publisher 0.2125 of those 0.25 cents', () => {
      const fee = feeNanos(2_500_000, 150_000);
      expect(centsOf(BigInt(fee))).to.equal(0.0375);
      expect(centsOf(BigInt(2_500_000 - fee))).to.equal(0.2125);
    });

    it('eCPM gives the CPM back, in cents', () => {
      expect(ecpmCentsOf(3n * 2_500_000n, 3)).to.equal(250);
      expect(ecpmCentsOf(0n, 0)).to.equal(0);
      expect(ecpmCentsOf(1n, 3)).to.equal(0);
    });

    it('10,000 micro-dollars are a cent', () => {
      expect(centsOf(10_000n * 1_000n)).to.equal(1);
    });
  });

  describe('rounding', () => {
    it('goes to the nearest, and from the middle to the even one', () => {
      const halves = [-5n, -3n, -1n, 1n, 3n, 5n].map((twice) => divideHalfEven(twice, 2n));
      expect(halves).to.deep.equal([-2n, -2n, 0n, 0n, 2n, 2n]);
      expect([7n, 8n, -7n, -8n].map((thirds) => divideHalfEven(thirds, 3n))).to.deep.equal([2n, 3n, -2n, -3n]);
    });

    it('is never further off than a half, and even at a half', () => {
      fc.assert(
        fc.property(bigints, fc.bigInt({ min: 1n, max: 10n ** 12n }), (numerator, denominator) => {
          const rounded = divideHalfEven(numerator, denominator);
          const twiceOff = 2n * (numerator - rounded * denominator);
          const size = twiceOff < 0n ? -twiceOff : twiceOff;
          expect(size <= denominator).to.equal(true);
          if (size === denominator) expect(rounded % 2n).to.equal(0n);
          expect(divideHalfEven(-numerator, denominator)).to.equal(-rounded);
        }),
      );
    });

    it('of whole cents happens once', () => {
      expect([4_999_999n, 5_000_000n, 15_000_000n, 15_000_001n].map(wholeCentsOf)).to.deep.equal([0, 0, 2, 2]);
    });

    it('does not happen to exact cents: each amount has a number of its own, and is read back from it', () => {
      fc.assert(
        fc.property(fc.bigInt({ min: 0n, max: 4_999_999_999_999_999n }), (nanos) => {
          expect(nanosOfCents(exactCentsOf(nanos))).to.equal(nanos);
        }),
        { numRuns: 2_000 },
      );
      fc.assert(
        fc.property(fc.bigInt({ min: 5_000_000_000_000n, max: 100_000_000_000_000n }), (micros) => {
          expect(nanosOfCents(exactCentsOf(micros * 1_000n))).to.equal(micros * 1_000n);
        }),
        { numRuns: 2_000 },
      );
      const written = [79_450_923n, 0n, 1n, -23_456_780n, 100_000_000n].map(centsText);
      expect(written).to.deep.equal(['7.9450923', '0', '0.0000001', '-2.345678', '10']);
      const refused = [0.000_000_01, 7.945_092_35, 500_000_000.123_45, 1 / 3];
      expect(refused.map(nanosOfCents)).to.deep.equal([null, null, null, null]);
    });

    it('of cents keeps four decimals', () => {
      fc.assert(
        fc.property(fc.bigInt({ min: 0n, max: 10n ** 17n }), (nanos) => {
          const cents = centsOf(nanos);
          expect(cents).to.equal(Number(cents.toFixed(4)));
          expect(cents).to.equal(Number(divideHalfEven(nanos, 1_000n)) / 10_000);
        }),
      );
    });
  });

  describe('the fee', () => {
    it('is the exact share, rounded half-even, at every size', () => {
      const price = fc.oneof(fc.nat(100_000_000), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }));
      fc.assert(
        fc.property(price, fc.integer({ min: 0, max: 1_000_000 }), (priceCpmMicros, feePpm) => {
          const exact = divideHalfEven(BigInt(priceCpmMicros) * BigInt(feePpm), 1_000_000n);
          expect(BigInt(feeNanos(priceCpmMicros, feePpm))).to.equal(exact);
        }),
        { numRuns: 2_000 },
      );
    });

    it('rounds halves to even', () => {
      expect([1, 3, 5].map((price) => feeNanos(price, 500_000))).to.deep.equal([0, 2, 2]);
    });

    it('is never more than the price, nor less than nothing', () => {
      expect(feeNanos(7, 1_000_000)).to.equal(7);
      expect(feeNanos(7, 0)).to.equal(0);
      for (const feePpm of [-1, 1_000_001, 0.5, Number.NaN]) expect(() => feeNanos(7, feePpm)).to.throw(RangeError);
    });
  });

  describe('a price as bid', () => {
    it('is rounded once to whole micro-dollars', () => {
      expect([0, 0.000_000_4, 1.234_567_8, 0.1 + 0.2].map(cpmMicros)).to.deep.equal([0, 0, 1_234_568, 300_000]);
    });

    it('is rounded from the middle to the even one', () => {
      expect([0.000_000_5, 0.000_001_5, 0.000_002_5, 0.000_003_5].map(cpmMicros)).to.deep.equal([0, 2, 2, 4]);
    });

    it('is none when it is negative, not a number or beyond any real bid', () => {
      expect(cpmMicros(MAX_CPM)).to.equal(10_000_000_000);
      for (const cpm of [-0.01, Number.NaN, Number.POSITIVE_INFINITY, MAX_CPM + 0.01]) {
        expect(() => cpmMicros(cpm)).to.throw(RangeError);
      }
    });

    it('comes back the same from whole micro-dollars', () => {
      fc.assert(fc.property(fc.nat(2_000_000_000), (micros) => cpmMicros(cpmOf(micros)) === micros));
    });
  });

  it('refuses sums that a double does not hold exactly', () => {
    expect(addNanos(Number.MAX_SAFE_INTEGER - 1, 1)).to.equal(Number.MAX_SAFE_INTEGER);
    expect(() => addNanos(Number.MAX_SAFE_INTEGER, 1)).to.throw(RangeError);
    expect(() => nanosPerImpression(0.5)).to.throw(RangeError);
  });

  it('gives ratios with four decimals, and 0 of nothing', () => {
    expect([ratio(1, 3), ratio(2, 2), ratio(0, 5), ratio(0, 0)]).to.deep.equal([0.3333, 1, 0, 0]);
  });
});
