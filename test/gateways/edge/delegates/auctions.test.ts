import { expect } from 'chai';
import { bids } from '../../../support/bidder.ts';
import { htmlCreative } from '../../../support/campaign-view.ts';
import { bannerRequest, EdgeUnderTest, jsonOf } from '../../../support/edge.ts';

interface Sold {
  readonly impid: string;
  readonly price: number;
  readonly cid?: string;
  readonly crid?: string;
}

describe('auctions with delegates', () => {
  let exchange: EdgeUnderTest;
  beforeEach(async () => {
    exchange = await new EdgeUnderTest().start();
  });
  afterEach(() => exchange.close());

  /** What was sold, seat by seat. */
  const auction = async (fields: Record<string, unknown> = {}): Promise<Sold[]> => {
    const response = await exchange.post(bannerRequest(fields));
    if (response.status === 204) return [];
    expect(response.status).to.equal(200);
    const answer = await jsonOf(response);
    return answer.seatbid.flatMap(({ bid }: { bid: Sold[] }) => bid);
  };
  const imps = (...ids: string[]) => ids.map((id) => ({ id, banner: { w: 300, h: 250 } }));

  it('sells to a campaign, with our tracker in its markup and the campaign in the tracking URL', async () => {
    exchange.delegate([
      { id: 'campaign-1', campaign_id: 'autumn', adomain: ['brand.test'], bidding: { base_cpm: 2.5 } },
    ]);
    const response = await exchange.post(bannerRequest());
    expect(response.status).to.equal(200);
    const answer = await jsonOf(response);
    const [{ seat, bid }] = answer.seatbid;
    expect(seat).to.equal('dsp-1');
    expect(bid).to.have.length(1);
    expect(bid[0]).to.deep.include({
      impid: '1',
      price: 2.5,
      cid: 'autumn',
      crid: 'campaign-1-creative',
      adomain: ['brand.test'],
      mtype: 1,
      w: 300,
      h: 250,
    });
    expect(bid[0].burl).to.match(
      /^https:\/\/edge\.test\/track\/impression\?id=request-\d+&pub=pub-1&dsp=dsp-1&price=2500000&campaign=campaign-1&crid=/,
    );
    expect(bid[0].adm).to.match(/^<img src="https:\/\/edge\.test\/track\/impression\?/);
    expect(bid[0].adm).to.contain('<a href="https://advertiser.test/">campaign-1-creative</a>');
    expect(exchange.pace.reserved).to.deep.equal([{ campaignId: 'campaign-1', dspId: 'dsp-1', priceNanos: 2_500_000 }]);
    expect(await exchange.counted('dsp', 'dsp-1')).to.include({ bidRequests: 1, bids: 1, wins: 1 });
    expect(await exchange.counted('publisher', 'pub-1')).to.include({ auctions: 1, imps: 1, filledImps: 1 });
  });
});
