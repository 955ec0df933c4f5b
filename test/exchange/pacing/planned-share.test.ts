import { expect } from 'chai';
import fc from 'fast-check';
import { CAP_SHARE, pacedProbability } from '#exchange/pacing/bid-probability';
import { type PacingMode, plannedShare } from '#exchange/pacing/planned-share';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const mode = fc.constantFrom<PacingMode>('linear', 'aggressive', 'conservative');

describe('the plan of a daily budget', () => {
  it('is the share of traffic, its root or its square', () => {
    expect([
      plannedShare('linear', 0.25),
      plannedShare('aggressive', 0.25),
      plannedShare('conservative', 0.25),
    ]).to.deep.equal([0.25, 0.5, 0.0625]);
  });

  it('goes from nothing to all, and never back', () => {
    fc.assert(
      fc.property(mode, share, share, (pacing, a, b) => {
        const [early, late] = [Math.min(a, b), Math.max(a, b)];
        expect(plannedShare(pacing, 0)).to.equal(0);
        expect(plannedShare(pacing, 1)).to.equal(1);
        expect(plannedShare(pacing, early)).to.be.at.most(plannedShare(pacing, late));
      }),
    );
  });
});

describe('the probability to bid', () => {
  it('is one, falls without a step as more is spent, and is nothing from 95 per cent on', () => {
    fc.assert(
      fc.property(share, share, share, (a, b, planned) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)];
        const [early, late] = [pacedProbability(less, planned), pacedProbability(more, planned)];
        expect(early).to.be.within(0, 1);
        expect(late).to.be.at.most(early);
        if (more >= CAP_SHARE) expect(late).to.equal(0);
        // Where the plan has reached the cap, all that is left is a step.
        const fallsOver = (CAP_SHARE - Math.min(planned, CAP_SHARE)) / 400;
        if (planned < CAP_SHARE && more < CAP_SHARE && more - less < fallsOver / 100)
          expect(early - late).to.be.below(0.02);
      }),
    );
  });

  it('is one up to the plan, and falls to nothing soon after', () => {
    expect(pacedProbability(0.3, 0.3)).to.equal(1);
    expect(pacedProbability(0.2, 0.3)).to.equal(1);
    // Where demand is ten times, a hundred times, a thousand times what the plan needs.
    expect(pacedProbability(0.3 + 0.0038, 0.3)).to.be.closeTo(1 / 10, 0.01);
    expect(pacedProbability(0.3 + 0.0075, 0.3)).to.be.closeTo(1 / 100, 0.002);
    expect(pacedProbability(0.3 + 0.0112, 0.3)).to.be.closeTo(1 / 1000, 0.0002);
    expect(pacedProbability(0.95, 1)).to.equal(0);
    expect(pacedProbability(0.949, 1)).to.equal(1);
  });
});
