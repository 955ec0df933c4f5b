import { expect } from 'chai';
import { waitForCampaigns } from '#gateways/management/resources/strategy/wait-for-campaigns';

describe('an upload of a strategy', () => {
  it('waits two seconds for its campaigns, although the wall clock is set back meanwhile', async () => {
    let [looks, monotonicMs] = [0, 5_000];
    const store = {
      load: async () => {
        looks += 1;
        if (looks > 10) throw new Error('it waits on');
        monotonicMs += 700;
        return [null];
      },
    };
    const clock = { now: () => 1e12 - looks * 3_600_000, monotonic: () => monotonicMs, after: () => () => undefined };
    const saved = { revision: 1, told: ['campaign-1'] };
    expect(await waitForCampaigns({ store, clock } as never, saved as never)).to.deep.equal([]);
    expect(looks).to.equal(3);
  });
});
