import { expect } from 'chai';
import { LOSS_REASONS, lossCode, NO_BID_REASONS, nonBidStatus } from '#exchange/auction/loss-reason';

/** OpenRTB 2.5 List 5.25. */
const LOSS_CODES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100, 101, 102, 103, 104, ...range(200, 213)];
/** The IAB's seat-non-bid extension. */
const STATUS_CODES = [...range(0, 17), ...range(100, 103), ...range(200, 205), ...range(300, 304), ...range(350, 357)];

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

describe('loss reasons', () => {
  it('tell bidders the two codes of the specification', () => {
    expect(lossCode('below-floor')).to.equal(100);
    expect(lossCode('lost-to-higher-bid')).to.equal(102);
  });

  it('have codes that the standards list', () => {
    for (const [reason, { loss, status }] of Object.entries({ ...LOSS_REASONS, ...NO_BID_REASONS })) {
      if (loss !== null) expect(LOSS_CODES, reason).to.include(loss);
      expect(STATUS_CODES, reason).to.include(status);
    }
  });

  it('are distinguished from the reasons for no bid', () => {
    expect(nonBidStatus('timeout')).to.equal(101);
    expect(nonBidStatus('below-floor')).to.equal(301);
    expect(Object.keys(LOSS_REASONS)).to.not.have.members(Object.keys(NO_BID_REASONS));
    for (const [reason, { loss }] of Object.entries({ ...LOSS_REASONS, ...NO_BID_REASONS })) {
      expect(loss, `${reason} is no bid that won`).to.not.equal(0);
    }
  });
});
