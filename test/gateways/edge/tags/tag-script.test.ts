import { expect } from 'chai';
import { request } from 'undici';
import type { RegionAddress } from '#exchange/region';
import { EdgeUnderTest } from '#test/support/edge';

describe('GET /tag.js', () => {
  let exchange: EdgeUnderTest;
  before(async () => {
    exchange = await new EdgeUnderTest().start();
  });
  after(() => exchange.close());

  it('is a script of at most 11 KB that is kept for an hour and writes into no document', async () => {
    const response = await exchange.get('/tag.js');
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.match(/^text\/javascript/);
    expect(response.headers.get('cache-control')).to.equal('public, max-age=3600');
    const script = await response.text();
    expect(script.length).to.be.within(1, 11 * 1024);
    expect(script).not.to.contain('document.write');
  });

  it('is not sent again to who has it', async () => {
    const etag = (await exchange.get('/tag.js')).headers.get('etag')!;
    // `fetch` adds `Cache-Control: no-cache` to conditional requests; browsers do not.
    const again = await request(`${exchange.origin}/tag.js`, { headers: { 'if-none-match': etag } });
    expect([again.statusCode, await again.body.text()]).to.deep.equal([304, '']);
    const other = await request(`${exchange.origin}/tag.js`, { headers: { 'if-none-match': 'W/"another"' } });
    expect([other.statusCode, (await other.body.text()).length > 0]).to.deep.equal([200, true]);
  });

  it('is the same for every origin, so that caches keep one', async () => {
    const response = await exchange.get('/tag.js', { origin: 'https://site.test' });
    expect(response.headers.get('access-control-allow-origin')).to.equal('*');
    expect(response.headers.get('vary')).not.to.match(/origin/i);
  });

  it('knows where the edges of the regions are, and nothing where there is one region alone', async () => {
    const fra = { code: 'fra', url: 'https://fra.ads.example' } as const;
    const nyc = { code: 'nyc', url: 'https://ads.example/nyc$&' } as const;
    const scriptWith = async (regionUrls: readonly RegionAddress[]) => {
      const edge = await new EdgeUnderTest({ regionUrls }).start();
      try {
        return await (await edge.get('/tag.js')).text();
      } finally {
        await edge.close();
      }
    };
    const both = await scriptWith([fra, nyc]);
    expect(both).to.contain('[["fra","https://fra.ads.example/"],["nyc","https://ads.example/nyc$&/"]]');
    for (const script of [both, await scriptWith([fra]), await scriptWith([])]) {
      expect(script).not.to.contain('EXCHANGE_REGIONS');
      expect(script.length).to.be.below(11 * 1024);
    }
    expect(await scriptWith([fra])).not.to.contain('fra.ads.example');
  });
});
