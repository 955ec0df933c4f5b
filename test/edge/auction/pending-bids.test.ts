import { expect } from 'chai';
import { bids } from '../../support/bidder.ts';
import { bannerRequest, EdgeUnderTest, KNOWN_DEVICE } from '../../support/edge.ts';

const CAPPED = { id: 'campaign-1', frequency_cap: { max_impressions: 5 } };

describe('the bids of an auction under way', () => {
  let edge: EdgeUnderTest;
  /** What the pace counted at each addition. */
  let added: string[];
  beforeEach(async () => {
    edge = await new EdgeUnderTest().start();
    added = [];
    const add = edge.pace.addPendingBids.bind(edge.pace);
    edge.pace.addPendingBids = (pending) => {
      add(pending);
      added.push([...edge.pace.biddingNanos.keys()].join(' '));
    };
  });
  afterEach(() => edge.close());

  it('are counted while it waits for a bidder', async () => {
    let counted: string[] = [];
    await edge.bidder(
      (...call) => {
        counted = [...edge.pace.biddingNanos.keys()];
        return bids({ price: 1 })(...call);
      },
      { id: 'dsp-2' },
    );
    edge.delegate([{ id: 'campaign-1' }], { id: 'dsp-1' });
    expect((await edge.post(bannerRequest())).status).to.equal(200);
    expect(counted).to.deep.equal(['campaign-1', 'dsp-1']);
    expect([...edge.pace.biddingNanos]).to.deep.equal([]);
  });

  it('are counted while it waits for a frequency cap', async () => {
    let release = () => {};
    edge.caps.held = new Promise((resolve) => {
      release = resolve;
    });
    edge.delegate([CAPPED], { id: 'dsp-1' });
    const answer = edge.post(bannerRequest({ device: KNOWN_DEVICE }));
    while (edge.caps.asked.length === 0) await new Promise(setImmediate);
    expect([...edge.pace.biddingNanos.keys()]).to.deep.equal(['campaign-1', 'dsp-1']);
    release();
    expect((await answer).status).to.equal(200);
    expect(added, 'once').to.have.length(1);
    expect([...edge.pace.biddingNanos]).to.deep.equal([]);
  });

  it('are not counted where it waits for nothing: no other auction could see them', async () => {
    edge.delegate([{ id: 'campaign-1' }], { id: 'dsp-1' });
    expect((await edge.post(bannerRequest())).status).to.equal(200);
    expect(added).to.deep.equal([]);
    expect(edge.pace.reserved).to.have.length(1);
  });
});
