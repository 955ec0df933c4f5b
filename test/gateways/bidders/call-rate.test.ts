import { expect } from 'chai';
import { Bidder } from '#gateways/bidders/bidder';
import { CallRate } from '#gateways/bidders/call-rate';
import { DEFAULT_BIDDER_SETTINGS } from '#gateways/bidders/settings';
import { seededRandom } from '#runtime/node/seeded-random';
import { systemClock } from '#runtime/providers/system/system-clock';
import { makeDspProjection } from '../../support/dsp-projection.ts';

/** How many of so many calls, one each millisecond, are let through. */
function taken(rate: CallRate, fromMs: number, calls: number): number {
  let count = 0;
  for (let call = 0; call < calls; call++) if (rate.take(fromMs + call)) count++;
  return count;
}

/** Chance that lets everything through. */
const always = () => 0;

describe('the calls a second to one bidder', () => {
  it('are as many as the limit, and a second’s worth at the beginning', () => {
    const rate = new CallRate(100, always);
    expect(taken(rate, 0, 2_000)).to.be.within(298, 300);
  });

  it('are fewer from the very next call when the limit falls', () => {
    const rate = new CallRate(1_000, always);
    rate.change(10);
    expect(taken(rate, 0, 1_000)).to.be.within(18, 20);
  });

  it('become more when it rises', () => {
    const rate = new CallRate(10, always);
    taken(rate, 0, 1_000);
    rate.change(500);
    expect(taken(rate, 1_000, 1_000)).to.be.within(498, 501);
  });

  it('are kept back at random where more is wanted, all through the second', () => {
    const rate = new CallRate(200, seededRandom('calls'));
    taken(rate, 0, 5_000);
    const tenths = Array.from({ length: 100 }, (_, tenth) => taken(rate, 5_000 + tenth * 100, 100));
    expect(tenths.reduce((sum, calls) => sum + calls, 0)).to.be.within(1_960, 2_040);
    // A fifth of what is wanted, in every tenth of a second: not all of its first fifth and nothing after.
    for (const calls of tenths) expect(calls).to.be.within(5, 40);
  });

  it('are all let through while there are enough', () => {
    const rate = new CallRate(2_000, () => 0.999);
    expect(taken(rate, 0, 5_000)).to.equal(5_000);
  });

  it('are one every few seconds where the part is less than one a second', () => {
    const rate = new CallRate(0.25, always);
    expect(taken(rate, 0, 20_000)).to.be.within(5, 6);
  });

  describe('of a demand source', () => {
    const admitted = (bidder: Bidder): number => {
      let count = 0;
      while (typeof bidder.admit(1_000, 100) === 'number') count++;
      expect(bidder.admit(1_000, 100)).to.equal('qps-limit');
      return count;
    };
    const open = (qpsLimit: number, maxCallsPerSecond: number) => {
      const settings = { ...DEFAULT_BIDDER_SETTINGS, allowPrivateNetworks: true, maxCallsPerSecond };
      return new Bidder(
        makeDspProjection({ endpointUrl: 'http://127.0.0.1:9/', qpsLimit }),
        settings,
        systemClock,
        always,
      );
    };

    it('are as many as it wants, within what the edge takes upon itself', async () => {
      for (const [qpsLimit, maxCallsPerSecond, most] of [
        [3, 100, 3],
        [100, 4, 4],
      ] as const) {
        const bidder = open(qpsLimit, maxCallsPerSecond);
        expect(admitted(bidder)).to.equal(most);
        await bidder.close();
      }
    });

    it('follow its projection', async () => {
      const bidder = open(100, 100);
      bidder.update({ ...bidder.dsp, qpsLimit: 2 });
      expect(admitted(bidder)).to.equal(2);
      await bidder.close();
    });
  });
});
