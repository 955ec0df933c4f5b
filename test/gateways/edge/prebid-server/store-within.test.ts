import { expect } from 'chai';
import { storeWithinMs } from '#gateways/edge/prebid-server/store-within';

const TIMES = { maxTimeoutMs: 150, answerMarginMs: 10 };

describe('gateways/edge/prebid-server/store-within', () => {
  for (const [what, tmaxMs, elapsedMs, withinMs] of [
    ['what is left of the time limit', 300, 40, 250],
    ['the margin, where bidders took all of the time', 300, 290, 10],
    ['the margin, where it is too late already', 300, 400, 10],
    ['as long as for bidders, where there is no time limit', undefined, 40, 150],
    ['as long as for bidders, where the time limit is 0, which says nothing', 0, 40, 150],
  ] as const) {
    it(`gives the cache ${what}`, () => {
      expect(storeWithinMs(tmaxMs, elapsedMs, TIMES)).to.equal(withinMs);
    });
  }
});
