import { expect } from 'chai';
import { NetworkSet, parseNetwork } from '#edge/addresses/network-set';
import { bids } from '../../support/bidder.ts';
import { bannerRequest, EdgeUnderTest, jsonOf } from '../../support/edge.ts';

const PROXIED = { 'x-forwarded-for': '5.6.7.8, 91.12.44.7' };

describe('ad requests that are blocked', () => {
  let exchange: EdgeUnderTest;
  afterEach(() => exchange.close());

  it('are answered 403 with the reason, are counted, and reach no bidder', async () => {
    exchange = await new EdgeUnderTest().start();
    const bidder = await exchange.bidder(bids({ price: 1 }));
    const request = bannerRequest();
    expect((await exchange.post(request)).status).to.equal(200);
    const replayed = await exchange.post(request);
    expect(replayed.status).to.equal(403);
    expect((await jsonOf(replayed)).error).to.include({
      code: 'FORBIDDEN',
      message: 'A request with this id has been made already.',
    });
    expect((await exchange.post(bannerRequest({ device: { ua: 'curl/8.5.0' } }))).status).to.equal(403);
    expect((await exchange.get('/vast?site_id=pub-1&ua=curl/8.5.0')).status).to.equal(403);
    expect((await exchange.get('/vast?site_id=pub-1&floor=-1')).status).to.equal(403);
    expect((await exchange.get('/vast?site_id=pub-1', { referer: 'https://rival.test/' })).status).to.equal(403);
    const floor = { imp: [{ id: '1', banner: {}, bidfloor: -1 }] };
    expect((await exchange.post(bannerRequest(floor))).status).to.equal(403);
    expect(bidder.received).to.have.length(1);
    const counted = await exchange.counted('publisher', 'pub-1');
    expect(counted).to.include({
      auctions: 1,
      'blocked/replayed-request': 1,
      'blocked/bot': 2,
      'blocked/invalid-floor': 2,
      'blocked/site-mismatch': 1,
    });
  });

  it('are a developer’s in the sandbox: by program, and twice', async () => {
    exchange = await new EdgeUnderTest({}, undefined, { allowPrivateNetworks: false }).start();
    exchange.publisher({ status: 'sandbox' });
    const request = bannerRequest({ device: { ua: 'curl/8.5.0', ip: '127.0.0.1' } });
    for (let time = 0; time < 2; time++) expect((await exchange.post(request)).status).to.equal(204);
    expect((await exchange.get('/vast?site_id=pub-1', { 'user-agent': 'curl/8.5.0' })).status).to.equal(200);
    expect((await exchange.post({ ...request, site: { id: 'pub-1', domain: 'rival.test' } })).status).to.equal(403);
  });

  it('are judged by the address that the outermost of our own proxies saw', async () => {
    const blockedNetworks = new NetworkSet([parseNetwork('5.6.0.0/16')!]);
    exchange = await new EdgeUnderTest({ trustProxyHops: 1 }, undefined, { blockedNetworks }).start();
    expect((await exchange.get('/vast?site_id=pub-1', PROXIED)).status).to.equal(200);
    expect((await exchange.get('/vast?site_id=pub-1', { 'x-forwarded-for': '5.6.7.8' })).status).to.equal(403);
    await exchange.close();
    exchange = await new EdgeUnderTest({ trustProxyHops: 2 }, undefined, { blockedNetworks }).start();
    expect((await exchange.get('/vast?site_id=pub-1', PROXIED)).status).to.equal(403);
    await exchange.close();
    exchange = await new EdgeUnderTest({}, undefined, { blockedNetworks }).start();
    expect((await exchange.get('/vast?site_id=pub-1', PROXIED)).status, 'callers say what they like').to.equal(200);
  });
});
