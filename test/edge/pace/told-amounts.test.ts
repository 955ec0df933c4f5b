import { expect } from 'chai';
import fc from 'fast-check';
import { ToldAmounts } from '#edge/pace/told-amounts';
import { RenderDelay } from '#exchange/pacing/render-delay';
import { TOLD_RENDER_LEAVES, UnrenderedSales } from '#exchange/pacing/unrendered-sales';

const DAY = 20_000;
const CAUTION_NANOS = 1_000_000;

describe('amounts that are told of an account', () => {
  it('are open as they would be if each had been counted at once, whenever they are taken', () => {
    const change = fc.record({
      afterMs: fc.nat(20_000),
      soldNanos: fc.integer({ min: 100_000, max: 1_000_000 }),
      renders: fc.boolean(),
      takes: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 60 }), fc.nat(60_000), (changes, laterMs) => {
        const delay = new RenderDelay();
        const [atOnce, later] = [new UnrenderedSales(delay, 0), new UnrenderedSales(delay, 0)];
        const told = new ToldAmounts(delay);
        let nowMs = 1;
        const take = () => {
          const amount = told.take(7, nowMs);
          if (amount === null) return;
          expect(amount.day).to.equal(DAY);
          later.add(amount.soldNanos, amount.billedNanos, amount.likelyNanos, amount.possibleNanos, nowMs);
        };
        for (const { afterMs, soldNanos, renders, takes } of changes) {
          nowMs += afterMs;
          // Less than was sold just now, so that nothing is taken from nothing.
          const billedNanos = renders ? soldNanos / 2 : 0;
          const { likely, possible } = TOLD_RENDER_LEAVES;
          const open = [soldNanos - billedNanos * likely, soldNanos - billedNanos * possible] as const;
          atOnce.add(soldNanos, billedNanos, ...open, nowMs);
          expect(told.add(7, DAY, soldNanos, billedNanos, nowMs)).to.equal(true);
          if (takes) take();
        }
        nowMs += laterMs;
        take();
        expect(told.take(7, nowMs)).to.equal(null);
        const figures = (sales: UnrenderedSales) => [
          sales.possibleNanos(nowMs),
          sales.expectedNanos(nowMs, CAUTION_NANOS),
        ];
        for (const [at, nanos] of figures(later).entries()) expect(nanos).to.be.closeTo(figures(atOnce)[at]!, 1);
      }),
    );
  });

  it('are refused where those of another day, or of long ago, were not taken', () => {
    const told = new ToldAmounts(new RenderDelay());
    expect(told.add(5_000, DAY, 10, 1, 1_000)).to.equal(true);
    expect(told.add(5_000, DAY + 1, 10, 2, 1_000)).to.equal(false);
    expect(told.add(5_000, DAY, 10, 4, 1_000 + 3_600_000)).to.equal(false);
    expect(told.take(5_000, 1_000)).to.include({ day: DAY, soldNanos: 10, billedNanos: 1 });
    expect(told.add(5_000, DAY + 1, 10, 2, 2_000)).to.equal(true);
  });

  it('move with their account, and go with it', () => {
    const told = new ToldAmounts(new RenderDelay());
    told.add(3, DAY, 10, 1, 1_000);
    told.add(4, DAY, 20, 2, 1_000);
    told.move(4, 3);
    expect(told.take(3, 1_000)).to.include({ soldNanos: 20, billedNanos: 2 });
    expect(told.take(4, 1_000)).to.equal(null);
    told.add(3, DAY, 10, 1, 1_000);
    told.drop(3);
    expect(told.take(3, 1_000)).to.equal(null);
    told.add(3, DAY, 10, 1, 1_000);
    told.move(9_000, 3);
    expect(told.take(3, 1_000)).to.equal(null);
  });
});
