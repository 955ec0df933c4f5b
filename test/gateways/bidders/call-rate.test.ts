import { expect } from 'chai';
import { Bidder } from '../../../gateways/bidders/bidder.ts';
import { CallRate } from '../../../gateways/bidders/call-rate.ts';
import { DEFAULT_BIDDER_SETTINGS } from '../../../gateways/bidders/settings.ts';
import { systemClock } from '../../../runtime/providers/system/system-clock.ts';
import { dspView } from '../../support/dsp-view.ts';

/** How many of so many calls, one each millisecond, are let through. */
function taken(rate: CallRate, fromMs: number, calls: number): number {
  let count = 0;
  for (let call = 0; call < calls; call++) if (rate.take(fromMs + call)) count++;
  return count;
}

describe('the calls a second to one bidder', () => {
  it('are as many as the limit, and a second’s worth at the beginning', () => {
    const rate = new CallRate(100);
    expect(taken(rate, 0, 2_000)).to.be.within(298, 300);
  });

  it('are fewer from the very next call when the limit falls', () => {
    const rate = new CallRate(1_000);
    rate.change(10);
    expect(taken(rate, 0, 1_000)).to.be.within(18, 20);
  });

  it('become more when it rises', () => {
    const rate = new CallRate(10);
    taken(rate, 0, 1_000);
    rate.change(500);
    expect(taken(rate, 1_000, 1_000)).to.be.within(498, 501);
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
      return new Bidder(dspView({ endpointUrl: 'http://127.0.0.1:9/', qpsLimit }), settings, systemClock);
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

    it('follow its view', async () => {
      const bidder = open(100, 100);
      bidder.update({ ...bidder.dsp, qpsLimit: 2 });
      expect(admitted(bidder)).to.equal(2);
      await bidder.close();
    });
  });
});
