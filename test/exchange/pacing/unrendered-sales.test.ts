import { expect } from 'chai';
import { RenderDelay } from '#exchange/pacing/render-delay';
import { TOLD_RENDER_LEAVES, UnrenderedSales } from '#exchange/pacing/unrendered-sales';
import { SeededRandom } from '#runtime/simulator/seeded-random';

const PRICE = 1_000;

/** A render of a sale of unknown age. */
function toldRender(sales: UnrenderedSales, nowMs: number): void {
  sales.add(0, PRICE, -PRICE * TOLD_RENDER_LEAVES.likely, -PRICE * TOLD_RENDER_LEAVES.possible, nowMs);
}

/** A steady stream of sales, one each second; answers what is expected and what then truly came of what was open. */
function stream(renderRate: number, meanDelayMs: number, knowAges: boolean) {
  const random = new SeededRandom(`${renderRate}/${meanDelayMs}`);
  const delay = new RenderDelay();
  const sales = new UnrenderedSales(delay, 0);
  const showings: { atMs: number; soldAtMs: number }[] = [];
  let expected = 0;
  let came = 0;
  const endMs = 4_000_000;
  for (let nowMs = 0; nowMs < endMs; nowMs += 1000) {
    for (const showing of showings.filter(({ atMs }) => atMs >= nowMs && atMs < nowMs + 1000)) {
      delay.observe(nowMs - showing.soldAtMs);
      if (knowAges) sales.rendered(PRICE, nowMs - showing.soldAtMs, nowMs);
      else toldRender(sales, nowMs);
    }
    sales.sold(PRICE, nowMs);
    if (random.next() < renderRate) {
      showings.push({ atMs: nowMs + 1000 - Math.log(1 - random.next()) * meanDelayMs, soldAtMs: nowMs });
    }
    // Once it has learnt, and while what is open can still be seen to come.
    if (nowMs > 2_000_000 && nowMs < 3_500_000 && nowMs % 50_000 === 0) {
      expected += sales.expectedNanos(nowMs, PRICE);
      came += PRICE * showings.filter(({ atMs, soldAtMs }) => soldAtMs <= nowMs && atMs >= nowMs + 1000).length;
    }
  }
  return { expected, came };
}

describe('sales that are open', () => {
  for (const renderRate of [0.3, 0.6, 1]) {
    for (const knowAges of [true, false]) {
      it(`are expected to be shown about as they are, ${renderRate} of them, ${knowAges ? '' : 'not '}knowing when they were sold`, () => {
        const { expected, came } = stream(renderRate, 30_000, knowAges);
        expect(expected / came).to.be.within(0.6, 1.5);
      });
    }
  }

  it('are gone when they are shown at once', () => {
    const sales = new UnrenderedSales(new RenderDelay(), 0);
    sales.sold(PRICE, 10);
    expect(sales.possibleNanos(10)).to.equal(PRICE);
    expect(sales.expectedNanos(10, PRICE)).to.equal(PRICE);
    sales.rendered(PRICE, 0, 10);
    expect([sales.possibleNanos(10), sales.expectedNanos(10, PRICE)]).to.deep.equal([0, 0]);
  });

  it('are possible longer than they are likely, and in the end neither', () => {
    const sales = new UnrenderedSales(new RenderDelay(), 0);
    sales.sold(PRICE, 0);
    expect(sales.possibleNanos(120_000)).to.be.above(sales.expectedNanos(120_000, PRICE));
    expect([sales.possibleNanos(86_400_000), sales.expectedNanos(86_400_000, PRICE)]).to.deep.equal([0, 0]);
  });

  it('owe nothing when others are shown than were seen to be sold', () => {
    const sales = new UnrenderedSales(new RenderDelay(), 0);
    toldRender(sales, 0);
    expect(sales.possibleNanos(0)).to.equal(0);
    sales.sold(PRICE, 1);
    expect(sales.expectedNanos(1, PRICE)).to.be.within(0, PRICE);
  });
});
