import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Context } from 'mocha';
import type { RateCounters } from '../../runtime/ports/rate-counters.ts';
import { eventually } from '../support/eventually.ts';
import { skipWithReason } from '../support/skipped-tests.ts';

export interface RatesHarness {
  readonly rates: RateCounters;
  /** Another process that counts with it; absent where there is but one process. */
  readonly other?: RateCounters;
  /** Takes away what the counts are kept in; the function that it resolves with brings it back. */
  interrupt?(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const MINUTE_MS = 60_000;

/** The conformance suite of `Rates`. What a technology has not (see {@link RatesHarness}) is skipped, by name. */
export function ratesContract(name: string, open: (test: Context) => Promise<RatesHarness>): void {
  describe(`the contract of rates, kept by ${name}`, () => {
    let harness: RatesHarness | undefined;
    before(async function () {
      harness = await open(this);
    });
    after(() => harness?.close());
    const consumed = async (key: string, points = 1, rates = harness!.rates) =>
      (await rates.consume(key, points, MINUTE_MS)).consumed;

    it('sums what a key consumes', async () => {
      const key = randomUUID();
      expect([await consumed(key), await consumed(key, 5), await consumed(key)]).to.deep.equal([1, 6, 7]);
    });

    it('counts each key by itself, whatever characters it has', async () => {
      const keys = ['a', 'a}', '{a}', 'a:b', 'a b\n', '日本'].map((key) => `${randomUUID()}${key}`);
      for (const key of keys) expect(await consumed(key), key).to.equal(1);
      for (const key of keys) expect(await consumed(key), key).to.equal(2);
    });

    it('looks without counting for 0 points', async () => {
      const key = randomUUID();
      expect(await consumed(key, 0)).to.equal(0);
      await consumed(key, 3);
      expect([await consumed(key, 0), await consumed(key, 0)]).to.deep.equal([3, 3]);
    });

    it('answers each of many calls at once another sum', async () => {
      const key = randomUUID();
      const sums = await Promise.all(Array.from({ length: 200 }, () => consumed(key)));
      expect(sums.sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 200 }, (_, index) => index + 1));
    });

    it('has a window that begins with the first call and that later calls do not prolong', async () => {
      const key = randomUUID();
      const before = Date.now();
      const first = await harness!.rates.consume(key, 1, MINUTE_MS);
      expect(first.resetAtMs).to.be.within(before + MINUTE_MS - 100, Date.now() + MINUTE_MS + 100);
      const second = await harness!.rates.consume(key, 1, 2 * MINUTE_MS);
      // What is left is told in milliseconds and added to a clock read later: it may have stood still as long as all
      // this took.
      const tookMs = Date.now() - before;
      expect(second.resetAtMs).to.be.closeTo(first.resetAtMs, tookMs + 100);
      expect(tookMs, 'less than what a prolonged window would show').to.be.below(MINUTE_MS - 100);
    });

    it('begins anew after the window', async () => {
      const key = randomUUID();
      await harness!.rates.consume(key, 7, 1000);
      await eventually('the window to end', async () => (await harness!.rates.consume(key, 0, 1000)).consumed === 0);
      expect((await harness!.rates.consume(key, 1, 1000)).consumed).to.equal(1);
    });

    it('counts for all processes together', async function () {
      if (harness!.other === undefined) skipWithReason(this, 'these count in one process');
      const key = randomUUID();
      await consumed(key, 2);
      expect(await consumed(key, 1, harness!.other)).to.equal(3);
      expect(await consumed(key)).to.equal(4);
    });

    it('goes on by itself while the counts are away, and together when they are back', async function () {
      if (harness!.interrupt === undefined)
        skipWithReason(this, 'nothing stands between these and what they are kept in');
      const key = randomUUID();
      expect(await consumed(key, 10)).to.equal(10);
      const restore = await harness!.interrupt!();
      try {
        expect(await consumed(key)).to.be.oneOf([1, 11]);
        expect(await consumed(key)).to.equal(2);
      } finally {
        await restore();
      }
      await eventually('the shared count', async () => (await consumed(key, 0)) >= 10);
    });
  });
}
