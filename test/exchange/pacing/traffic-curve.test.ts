import { expect } from 'chai';
import fc from 'fast-check';
import { learnTrafficCurve } from '#exchange/pacing/learn-traffic-curve';
import { DailyTrafficCurve } from '#exchange/pacing/traffic-curve';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const WEDNESDAY = Date.UTC(2026, 3, 1);
const SATURDAY = Date.UTC(2026, 3, 4);

const only = (hour: number, count = 1_000_000) => Array.from({ length: 24 }, (_, at) => (at === hour ? count : 0));

describe('the curve of a day’s traffic', () => {
  it('is even where nothing is known', () => {
    const curve = learnTrafficCurve([], WEDNESDAY);
    for (const hours of [0, 6, 12, 23.5])
      expect(curve.elapsedShare(WEDNESDAY + hours * HOUR_MS)).to.be.closeTo(hours / 24, 1e-9);
  });

  it('goes from nothing to all in each UTC day, and never back', () => {
    const hours = fc.array(fc.nat(1_000_000), { minLength: 24, maxLength: 24 });
    const days = fc.array(hours, { maxLength: 14 });
    fc.assert(
      fc.property(days, fc.nat(DAY_MS - 1), fc.nat(DAY_MS - 1), (earlier, a, b) => {
        const traffic = earlier.map((counts, index) => ({ startMs: WEDNESDAY - (index + 1) * DAY_MS, hours: counts }));
        const curve = learnTrafficCurve(traffic, WEDNESDAY);
        const [early, late] = [Math.min(a, b), Math.max(a, b)];
        expect(curve.elapsedShare(WEDNESDAY)).to.equal(0);
        expect(curve.elapsedShare(WEDNESDAY + DAY_MS - 1)).to.be.closeTo(1, 1e-6);
        expect(curve.elapsedShare(WEDNESDAY + early)).to.be.at.most(curve.elapsedShare(WEDNESDAY + late));
      }),
    );
  });

  it('learns the shape of days, whatever their size', () => {
    const earlier = [
      { startMs: WEDNESDAY - DAY_MS, hours: only(3, 1_000_000) },
      { startMs: WEDNESDAY - 2 * DAY_MS, hours: only(20, 100_000_000) },
    ];
    const curve = learnTrafficCurve(earlier, WEDNESDAY);
    const before = curve.elapsedShare(WEDNESDAY + 10 * HOUR_MS);
    expect(before).to.be.within(0.45, 0.55);
  });

  it('believes the same day of the week most, and a weekend of a weekend', () => {
    const earlier = [
      { startMs: SATURDAY - DAY_MS, hours: only(3) },
      { startMs: SATURDAY - 6 * DAY_MS, hours: only(12) },
      { startMs: SATURDAY - 7 * DAY_MS, hours: only(20) },
    ];
    const curve = learnTrafficCurve(earlier, SATURDAY);
    const shareOf = (hour: number) =>
      curve.elapsedShare(SATURDAY + (hour + 1) * HOUR_MS) - curve.elapsedShare(SATURDAY + hour * HOUR_MS);
    expect(shareOf(20)).to.be.above(shareOf(12));
    expect(shareOf(12)).to.be.above(shareOf(3));
  });

  it('believes a day of few requests little, and one of none not at all', () => {
    const few = learnTrafficCurve([{ startMs: WEDNESDAY - DAY_MS, hours: only(3, 2) }], WEDNESDAY);
    expect(few.elapsedShare(WEDNESDAY + 12 * HOUR_MS)).to.be.closeTo(0.5, 0.03);
    const none = learnTrafficCurve([{ startMs: WEDNESDAY - DAY_MS, hours: only(3, 0) }], WEDNESDAY);
    expect(none.elapsedShare(WEDNESDAY + 12 * HOUR_MS)).to.be.closeTo(0.5, 1e-9);
  });

  it('is of 24 shares that make a whole', () => {
    expect(() => new DailyTrafficCurve([1])).to.throw(RangeError);
    expect(() => new DailyTrafficCurve(new Array(24).fill(1))).to.throw(RangeError);
  });
});
