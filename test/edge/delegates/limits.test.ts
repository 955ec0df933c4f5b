import { expect } from 'chai';
import { AskedDelegates } from './asked-delegates.ts';

const capped = (id: string, base_cpm: number, max_impressions = 1) => ({
  id,
  bidding: { base_cpm },
  frequency_cap: { max_impressions },
});
const plain = (id: string, base_cpm: number) => ({ id, bidding: { base_cpm } });
const IMP = { banner: { w: 300, h: 250 } };

describe('what keeps a campaign from bidding', () => {
  it('is its pace: the next one bids, as often as the first does not', async () => {
    const delegates = new AskedDelegates(plain('slow', 5), plain('next', 2));
    delegates.pace.probabilities.set('slow', 0.25);
    const rounds = 4_000;
    let slow = 0;
    for (let round = 0; round < rounds; round += 1) {
      const [bid] = await delegates.bids(null);
      if (bid!.cid === 'slow') slow += 1;
      else expect(bid!.cid).to.equal('next');
    }
    // Five standard deviations.
    expect(slow / rounds).to.be.closeTo(0.25, 5 * Math.sqrt((0.25 * 0.75) / rounds));
    delegates.pace.probabilities.set('slow', 0).set('next', 0);
    expect(await delegates.bids(null)).to.deep.equal([]);
  });

  it('is not knowing what it has spent: that is waited for, and no longer than there is time', async () => {
    const delegates = new AskedDelegates(plain('first', 5), plain('next', 2));
    delegates.pace.unknown.add('first');
    expect((await delegates.bids(null))[0]!.cid, 'nothing is being read').to.equal('next');
    delegates.pace.unknown.add('next');
    delegates.pace.pendingRead = Promise.resolve().then(() => delegates.pace.unknown.clear());
    expect((await delegates.bids(null))[0]!.cid).to.equal('first');

    delegates.pace.unknown.add('first');
    delegates.pace.pendingRead = new Promise(() => undefined);
    const startedMs = performance.now();
    const { participations, pending } = await delegates.ask(null, undefined, 40);
    expect(participations[0]!.offer!.bids[0]!.bid.cid).to.equal('next');
    expect(performance.now() - startedMs).to.be.within(30, 15_000);
    pending!.add();
    pending!.add();
    expect([...delegates.pace.biddingNanos], 'what is planned twice bids once').to.deep.equal([
      ['next', 2_000_000],
      ['dsp-1', 2_000_000],
    ]);
    pending!.remove();
    pending!.remove();
    expect(delegates.pace.biddingNanos.size).to.equal(0);
  });

  it('is what the device has seen: the next one bids', async () => {
    const delegates = new AskedDelegates(capped('first', 5), capped('second', 4), plain('last', 3));
    const cid = async (deviceKey: string | null) => (await delegates.bids(deviceKey))[0]?.cid;
    expect(await cid('device-1')).to.equal('first');
    delegates.caps.count('device-1', 'first', 'impression-1');
    expect(await cid('device-1')).to.equal('second');
    delegates.caps.count('device-1', 'second', 'impression-2');
    expect(await cid('device-1')).to.equal('last');
    expect(await cid('device-2')).to.equal('first');
    expect(await cid(null)).to.equal('last');
  });

  it('costs one question for all imps and campaigns, and none where no campaign with a cap would bid', async () => {
    const delegates = new AskedDelegates(capped('a', 5, 3), plain('b', 4), capped('behind', 1));
    await delegates.bids('device-1', [
      { ...IMP, id: '1' },
      { ...IMP, id: '2' },
    ]);
    expect(delegates.caps.asked).to.deep.equal([
      { deviceKey: 'device-1', caps: [{ campaignId: 'a', maxImpressions: 3 }] },
    ]);
    expect(delegates.ask(null)).to.not.be.instanceOf(Promise);
    delegates.replica.remove('campaign', 'a');
    expect(delegates.ask('device-1')).to.not.be.instanceOf(Promise);
    expect(delegates.caps.asked).to.have.length(1);
  });

  it('is not knowing in time what the device has seen', async () => {
    const delegates = new AskedDelegates(capped('a', 5), plain('b', 4));
    delegates.caps.held = new Promise(() => undefined);
    const startedMs = performance.now();
    expect((await delegates.bids('device-1', undefined, 40))[0]!.cid).to.equal('b');
    expect(performance.now() - startedMs).to.be.within(30, 15_000);
  });

  it('asks about a bounded number of campaigns', async () => {
    const many = Array.from({ length: 100 }, (_, n) => capped(`c${n}`, 10 + n));
    const delegates = new AskedDelegates(...many, plain('plain', 1));
    for (const { id } of many) delegates.caps.count('device-1', id, 'impression');
    expect((await delegates.bids('device-1'))[0]!.cid).to.equal('plain');
    expect(delegates.caps.asked[0]!.caps).to.have.length(16);
    expect(delegates.caps.asked[0]!.caps[0]).to.include({ campaignId: 'c99' });
  });
});
