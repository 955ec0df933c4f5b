import { expect } from 'chai';
import { BackOff } from '#gateways/bidders/back-off';
import { seededRandom } from '#runtime/node/seeded-random';

/**
 * Offers so many calls a second for some seconds to a bidder; answers how many it got and how many it coped with, in
 * the last.
 */
function lastSecond(backOff: BackOff, offered: number, seconds: number, copes: (calls: number) => boolean) {
  let calls = 0;
  let good = 0;
  for (let second = 0; second < seconds; second++) {
    calls = 0;
    good = 0;
    for (let call = 0; call < offered; call++) {
      const nowMs = second * 1_000 + (call * 1_000) / offered;
      if (backOff.keepsBack(nowMs)) continue;
      calls += 1;
      if (copes(calls)) {
        good += 1;
        backOff.coped(nowMs);
      } else backOff.overloaded(nowMs);
    }
  }
  return { calls, good };
}

describe('backing off a bidder', () => {
  it('keeps nothing back while few calls fail, or few were made', () => {
    const backOff = new BackOff(() => 0);
    for (let call = 0; call < 19; call++) backOff.overloaded(call);
    expect(backOff.shareKeptBack(1_000)).to.equal(0);
    for (let call = 0; call < 100; call++) backOff.coped(1_000);
    expect(backOff.shareKeptBack(2_000)).to.equal(0);
  });

  it('keeps more back the more of them fail, and goes on asking', () => {
    for (const [failing, kept] of [
      [20, 0],
      [35, 0.4],
      [50, 0.8],
      [100, 0.8],
    ] as const) {
      const backOff = new BackOff(() => 0);
      for (let call = 0; call < 100; call++) {
        if (call < failing) backOff.overloaded(0);
        else backOff.coped(0);
      }
      expect(backOff.shareKeptBack(1_000), `${failing} %`).to.be.closeTo(kept, 1e-9);
    }
  });

  it('settles where a bidder copes that was asked too much, below what opens the breaker', () => {
    const backOff = new BackOff(seededRandom('load'));
    const { calls, good } = lastSecond(backOff, 1_000, 60, (asked) => asked <= 500);
    expect(good).to.be.above(490);
    expect(good / calls, 'share of good answers').to.be.within(0.6, 0.9);
  });

  it('does not starve one that fails whatever it is asked', () => {
    const random = seededRandom('slow');
    const { calls } = lastSecond(new BackOff(seededRandom('kept')), 1_000, 60, () => random() > 0.4);
    expect(calls).to.be.within(400, 550);
  });

  it('forgets at a reset, and when it was better for as long as it looks back', () => {
    const backOff = new BackOff(() => 0);
    for (let call = 0; call < 100; call++) backOff.overloaded(0);
    expect(backOff.keepsBack(1_000)).to.equal(true);
    expect(backOff.shareKeptBack(12_000)).to.equal(0);
    for (let call = 0; call < 100; call++) backOff.overloaded(12_000);
    expect(backOff.keepsBack(13_000)).to.equal(true);
    backOff.reset();
    expect(backOff.keepsBack(13_000)).to.equal(false);
  });
});
