import { expect } from 'chai';
import { EdgeUnderTest } from '#test/support/edge';

const ORIGIN = { origin: 'https://site.test' };

describe('gateways/edge/regions', () => {
  let exchange: EdgeUnderTest;
  before(async () => {
    exchange = await new EdgeUnderTest({
      regionUrls: [
        { code: 'fra', url: 'https://fra.ads.example' },
        { code: 'nyc', url: 'https://nyc.ads.example' },
      ],
    }).start();
  });
  after(() => exchange.close());

  it('GET /api/regions lists the regions to pages of any origin, without cookies', async () => {
    const response = await exchange.get('/api/regions', ORIGIN);
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.match(/^application\/json/);
    expect(response.headers.get('cache-control')).to.equal('public, max-age=60');
    expect(response.headers.get('access-control-allow-origin')).to.equal('*');
    expect(response.headers.get('access-control-allow-credentials')).to.equal(null);
    expect(await response.json()).to.deep.equal({
      region: 'fra',
      regions: [
        { code: 'fra', url: 'https://fra.ads.example', ping_url: 'https://fra.ads.example/ping' },
        { code: 'nyc', url: 'https://nyc.ads.example', ping_url: 'https://nyc.ads.example/ping' },
      ],
    });
  });

  it('GET /ping answers 204 that no cache keeps and whose times pages of any origin may read', async () => {
    const response = await exchange.get('/ping', ORIGIN);
    expect([response.status, await response.text()]).to.deep.equal([204, '']);
    expect(response.headers.get('cache-control')).to.equal('no-store');
    expect(response.headers.get('access-control-allow-origin')).to.equal('*');
    expect(response.headers.get('timing-allow-origin')).to.equal('*');
    expect(response.headers.get('set-cookie')).to.equal(null);
  });

  it('refuses other methods of both', async () => {
    for (const path of ['/ping', '/api/regions']) {
      const response = await fetch(`${exchange.origin}${path}`, { method: 'POST' });
      expect([response.status, response.headers.get('allow')], path).to.deep.equal([405, 'GET']);
    }
  });
});
