import { expect } from 'chai';
import fc from 'fast-check';
import { flushPeriodS, flushPhase, isInPhase } from '#edge/facts/flush-phase';
import { isHeldEnough, MOST_HELD_MS } from '#edge/facts/hold-policy';

describe('the phase of a flush', () => {
  it('is due once in a period, whichever seconds a flush is for', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 30 }), steps, (key, periodS, seconds) => {
        const beginS = 1_700_000_000;
        let afterS = beginS;
        let due = 0;
        for (const step of seconds) {
          const upToS = afterS + step;
          const isDue = isInPhase(flushPhase(key), periodS, { afterS, upToS });
          if (isDue) due += 1;
          if (step >= periodS) expect(isDue).to.equal(true);
          afterS = upToS;
        }
        const passed = (afterS - beginS) / periodS;
        expect(due).to.be.at.most(Math.ceil(passed));
        if (seconds.every((step) => step <= 1)) expect(due).to.be.at.least(Math.floor(passed));
      }),
    );
  });

  it('is that of the same seconds at every edge, and spread evenly over them', () => {
    const bySecond = new Array<number>(30).fill(0);
    for (let campaign = 0; campaign < 30_000; campaign++) {
      const phase = flushPhase(`campaign:${campaign}`);
      for (let second = 0; second < 30; second++)
        if (isInPhase(phase, 30, { afterS: second - 1, upToS: second })) bySecond[second]! += 1;
    }
    for (const flushed of bySecond) expect(flushed).to.be.within(850, 1_150);
  });

  it('comes each second while there are few updates, and never more seldom than allowed', () => {
    expect(flushPeriodS(0, 15)).to.equal(1);
    expect(flushPeriodS(1_000, 15)).to.equal(1);
    expect(flushPeriodS(3_000, 30)).to.equal(3);
    expect(flushPeriodS(1_000_000, 15)).to.equal(15);
    expect(flushPeriodS(1_000_000, 30)).to.equal(30);
  });
});

describe("how long a region's counts are held", () => {
  it('is below half a second while they are few', () => {
    expect(isHeldEnough({ size: 15, heldMs: 399, nowMs: 0 }, 128)).to.equal(false);
    expect(isHeldEnough({ size: 15, heldMs: 400, nowMs: 0 }, 128)).to.equal(true);
    expect(isHeldEnough({ size: 250, heldMs: 400, nowMs: 0 }, 8)).to.equal(true);
  });

  it('is until edges have flushed a second, under load, and never longer than seconds', () => {
    expect(isHeldEnough({ size: 16, heldMs: 3_999, nowMs: 200 }, 128)).to.equal(false);
    expect(isHeldEnough({ size: 16, heldMs: 4_000, nowMs: 100 }, 128)).to.equal(false);
    expect(isHeldEnough({ size: 16, heldMs: 4_000, nowMs: 150 }, 128)).to.equal(true);
    expect(isHeldEnough({ size: 16, heldMs: MOST_HELD_MS, nowMs: 900 }, 128)).to.equal(true);
  });
});
