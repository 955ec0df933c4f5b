import { expect } from 'chai';
import { DailyAllowance } from '#gateways/creatives/daily-allowance';
import { SteppedClock } from '../../runtime/node/stepped-clock.ts';

describe('gateways/creatives: daily allowance', () => {
  it('is of each name, and new each day', async () => {
    const clock = new SteppedClock();
    const allowance = new DailyAllowance(10, clock);
    allowance.use('a', 9);
    expect(allowance.isUsedUp('a')).to.equal(false);
    allowance.use('a', 1);
    expect(allowance.isUsedUp('a')).to.equal(true);
    expect(allowance.isUsedUp('b')).to.equal(false);
    clock.after(86_400_000, () => undefined);
    await clock.step();
    expect(allowance.isUsedUp('a')).to.equal(false);
    allowance.use('a', 9);
    expect(allowance.isUsedUp('a')).to.equal(false);
  });
});
