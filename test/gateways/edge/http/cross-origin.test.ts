import { expect } from 'chai';
import { request } from 'undici';
import { bids } from '#test/support/bidder';
import { BROWSER_USER_AGENT } from '#test/support/browser';
import { bannerRequest, EdgeUnderTest } from '#test/support/edge';

const ORIGIN = 'https://player.test';

describe('pages of other origins', () => {
  let exchange: EdgeUnderTest;
  before(async () => {
    exchange = await new EdgeUnderTest().start();
    await exchange.bidder(bids({ price: 3 }));
  });
  after(() => exchange.close());

  function expectAllowed(response: Response, origin = ORIGIN): void {
    expect(response.headers.get('access-control-allow-origin')).to.equal(origin);
    expect(response.headers.get('access-control-allow-credentials')).to.equal('true');
    expect(response.headers.get('vary')).to.match(/\bOrigin\b/);
  }

  for (const path of [
    '/vast?site_id=pub-1',
    '/ad?publisher_id=pub-1&format=banner',
    '/track/impression?id=1',
    '/vast?site_id=nobody',
    '/vast?site_id=pub-1&w=wide',
  ]) {
    it(`may fetch ${path}, cookies included`, async () => expectAllowed(await exchange.get(path, { origin: ORIGIN })));
  }

  it('may send bid requests', async () => expectAllowed(await exchange.post(bannerRequest(), { origin: ORIGIN })));

  it('may do so out of a sandboxed frame, whose origin is null', async () =>
    expectAllowed(await exchange.get('/vast?site_id=pub-1', { origin: 'null' }), 'null'));

  it('learn what a bid request may carry before they send it', async () => {
    const response = await fetch(`${exchange.origin}/rtb`, {
      method: 'OPTIONS',
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-api-key',
      },
    });
    expect(response.status).to.equal(204);
    expectAllowed(response);
    expect(response.headers.get('access-control-allow-methods')).to.equal('GET,POST');
    expect(response.headers.get('access-control-allow-headers')).to.equal('content-type,x-api-key');
  });

  it('learn the sale and the size of an ad from headers they may read', async () => {
    const response = await exchange.get('/ad?publisher_id=pub-1&format=banner', { origin: ORIGIN });
    const pixel = /src="https:\/\/edge\.test\/track\/impression\?([^"]+)"/.exec(await response.text())![1]!;
    expect(response.headers.get('x-ad-tracking')).to.equal(pixel.replaceAll('&amp;', '&'));
    expect(response.headers.get('x-ad-size')).to.equal('300x250');
    expect(response.headers.get('access-control-expose-headers')).to.equal(
      'X-Ad-Tracking,X-Ad-Size,X-No-Fill-Reason,X-No-Fill-Detail',
    );
  });

  it('cost other callers nothing', async () => {
    // Not by `fetch`, which calls itself a script.
    const { headers } = await request(`${exchange.origin}/ad?publisher_id=pub-1&format=banner`, {
      headers: { 'user-agent': BROWSER_USER_AGENT },
    });
    const names = ['access-control-allow-origin', 'vary', 'x-ad-tracking', 'x-ad-size'];
    expect(names.filter((name) => headers[name] !== undefined)).to.deep.equal([]);
    expect(headers['content-type']).to.match(/^text\/html/);
  });

  it('learn it where the exchange is on their own origin, too, which they do not name', async () => {
    const { headers } = await request(`${exchange.origin}/ad?publisher_id=pub-1&format=banner`, {
      headers: { 'user-agent': BROWSER_USER_AGENT, 'sec-fetch-mode': 'cors' },
    });
    expect(headers['x-ad-tracking']).to.match(/^id=/);
  });

  for (const path of [
    '/SYNC',
    '/Sync',
    '/sync/',
    '/SYNC/set',
    '/sync/OPTOUT',
    '//sync',
    '/s%79nc',
    '/sync',
    '/nothing',
  ]) {
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
      it(`may not read ${method} ${path}, which holds the viewer’s id`, async () => {
        const { headers } = await request(`${exchange.origin}${path}?type=iframe&publisher_id=pub-1`, {
          method: method as 'GET',
          headers: { origin: ORIGIN, 'access-control-request-method': 'GET' },
        });
        const names = Object.keys(headers).filter((name) => name.startsWith('access-control-'));
        expect(names).to.deep.equal([]);
      });
    }
  }

  it('finds routes under their own paths alone, in their own case', async () => {
    for (const path of ['/SYNC', '/Vast?site_id=pub-1', '/AD', '/TAG.js', '/track/Win', '/Creative/x', '/RTB']) {
      expect((await exchange.get(path)).status, path).to.equal(404);
    }
  });
});
