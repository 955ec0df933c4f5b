import { expect } from 'chai';
import { bids } from '../../support/bidder.ts';
import { bannerRequest, EdgeUnderTest } from '../../support/edge.ts';

describe('a television', () => {
  const exchange = new EdgeUnderTest();
  before(() => exchange.start());
  after(() => exchange.close());

  it('is offered to bidders without MRAID, whether its request or its publisher says what it is', async () => {
    const { received } = await exchange.bidder(bids({ price: 1 }));
    const apisTold = async (type: 'mobile' | 'ctv', device: object | undefined) => {
      exchange.publisher({ type, domain: 'com.example.app' });
      const imp = [{ id: '1', banner: { w: 300, h: 250, api: [5, 7] } }];
      const app = { id: 'pub-1', bundle: 'com.example.app' };
      const response = await exchange.post(bannerRequest({ imp, app, site: undefined, device }));
      expect(response.status).to.equal(200);
      return (received.at(-1)!.body as { imp: { banner: { api?: number[] } }[] }).imp[0]!.banner.api;
    };
    expect(await apisTold('mobile', { devicetype: 4 })).to.deep.equal([5, 7]);
    expect(await apisTold('mobile', undefined)).to.deep.equal([5, 7]);
    for (const devicetype of [3, 6, 7]) expect(await apisTold('mobile', { devicetype })).to.deep.equal([7]);
    expect(await apisTold('ctv', undefined)).to.deep.equal([7]);
    expect(await apisTold('ctv', { devicetype: 4 }), 'a television app on a phone').to.deep.equal([5, 7]);
  });
});
