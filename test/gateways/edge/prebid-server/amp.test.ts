import { expect } from 'chai';
import { bids, noBid } from '#test/support/bidder';
import { tcString } from '#test/support/consent-strings';
import { EdgeUnderTest, jsonOf } from '#test/support/edge';
import { putStored } from './stored.ts';

const ORIGIN = 'https://site-test.cdn.ampproject.org';

describe('GET /openrtb2/amp', () => {
  let exchange: EdgeUnderTest;
  beforeEach(async () => {
    exchange = await new EdgeUnderTest().start();
    putStored(exchange, 'pub-1', {
      requests: {
        article: {
          imp: [
            {
              id: 'slot',
              banner: { w: 300, h: 250 },
              ext: { prebid: { bidder: { adexchange: { publisherId: 'pub-1' } } }, data: { section: 'news' } },
            },
          ],
          tmax: 700,
        },
        personal: { imp: [{ id: 'slot', banner: { w: 300, h: 250 } }], user: { id: 'viewer-1' } },
        untimed: { imp: [{ id: 'slot', banner: { w: 300, h: 250 } }] },
        two: { imp: [{ id: 'a' }, { id: 'b' }] },
        named: { id: 'some-request-id', imp: [{ id: 'slot', banner: { w: 300, h: 250 } }] },
      },
    });
  });
  afterEach(() => exchange.close());

  const ask = (query: Record<string, string>) =>
    exchange.get(`/openrtb2/amp?${new URLSearchParams({ tag_id: 'article', account: 'pub-1', ...query })}`, {
      origin: ORIGIN,
    });

  /** What AMP's real-time config fills into the URL of a vendor. */
  const RTC = {
    w: '320',
    h: '50',
    ow: '300',
    oh: '250',
    ms: '300x600,320x100',
    slot: '/1234/article',
    targeting: '{"subject":"sport"}',
    curl: 'https://site.test/article',
    timeout: '800',
    adc: 'GOOGLE',
    purl: 'https://site.test/article',
  };

  /** Asks of a cache that takes bids and says nothing, as one whose Redis hangs. */
  const askOfHangingCache = async (query: Record<string, string>) => {
    await exchange.bidder(bids({ price: 1.5 }));
    exchange.texts.put = () => new Promise(() => {});
    const { targeting, ext } = await jsonOf(await ask(query));
    expect(targeting).to.include({ hb_pb: '1.50', hb_bidder: 'adexchange' });
    expect(Object.keys(targeting).filter((key) => key.startsWith('hb_cache'))).to.deep.equal([]);
    return ext;
  };

  it('answers what was won within its time limit while the cache hangs, without a name in it', async () => {
    const ext = await askOfHangingCache({ timeout: '300' });
    expect(ext.tmaxrequest).to.equal(300);
  });

  it('answers what was won while the cache hangs, also without a time limit', async () => {
    const ext = await askOfHangingCache({ tag_id: 'untimed' });
    expect(ext).not.to.have.property('tmaxrequest');
  });

  it('answers key values, by which the creative finds the bid in the cache', async () => {
    const bidder = await exchange.bidder(bids({ price: 1.5 }));
    const response = await ask({ ...RTC, __amp_source_origin: 'https://site.test' });
    expect(response.status).to.equal(200);
    expect(response.headers.get('access-control-allow-origin')).to.equal(ORIGIN);
    expect(response.headers.get('amp-access-control-allow-source-origin')).to.equal('https://site.test');
    expect(response.headers.get('access-control-expose-headers')).to.contain('AMP-Access-Control-Allow-Source-Origin');
    const { targeting, ext } = await jsonOf(response);
    expect(targeting).to.include({
      hb_pb: '1.50',
      hb_bidder: 'adexchange',
      hb_size: '300x250',
      hb_env: 'amp',
      hb_cache_host: 'edge.test',
      hb_cache_path: '/cache',
      hb_pb_adexchange: '1.50',
    });
    expect(ext.responsetimemillis.adexchange).to.be.a('number');
    const cached = await jsonOf(await exchange.get(`/cache?uuid=${targeting.hb_cache_id}`));
    expect(cached.adm).to.contain('/track/impression?');
    const [asked] = await bidder.waitForRequests('/bid');
    const { imp, site } = asked!.body;
    expect(imp[0].banner.format).to.deep.equal([
      { w: 300, h: 250 },
      { w: 300, h: 600 },
      { w: 320, h: 100 },
    ]);
    expect(imp[0]).to.include({ tagid: '/1234/article' });
    expect(imp[0].ext.data).to.deep.equal({ section: 'news', subject: 'sport' });
    expect(site).to.include({ page: 'https://site.test/article' });
    expect(site.ext).to.include({ amp: 1 });
  });

  it('answers no key values where nothing is sold, and only an origin that is one', async () => {
    await exchange.bidder(noBid());
    for (const origin of ['https://site.test/path', `https://xn--${'a9'.repeat(32)}.test`]) {
      const response = await ask({ __amp_source_origin: origin });
      expect(response.status).to.equal(200);
      expect(response.headers.has('amp-access-control-allow-source-origin')).to.equal(false);
      expect((await jsonOf(response)).targeting).to.deep.equal({});
    }
  });

  it('holds an auction for each view of a slot, also where what is stored has an id', async () => {
    await exchange.bidder(bids({ price: 1 }));
    const ids = new Set<string>();
    for (const _ of ['first', 'second']) {
      const response = await ask({ tag_id: 'named', debug: '1' });
      expect(response.status).to.equal(200);
      expect(response.headers.get('cache-control')).to.equal('no-store');
      const { targeting, ext } = await jsonOf(response);
      expect(targeting.hb_pb).to.equal('1.00');
      ids.add(ext.debug.resolvedrequest.id);
    }
    expect(ids.size).to.equal(2);
    expect(ids.has('some-request-id')).to.equal(false);
  });

  it('refuses key values that nest too deep', async () => {
    const targeting = `{"a":${'['.repeat(2_000)}${']'.repeat(2_000)}}`;
    expect((await ask({ targeting })).status).to.equal(400);
  });

  it('finds the supply source in the name of what is stored', async () => {
    await exchange.bidder(bids({ price: 1 }));
    const response = await exchange.get('/openrtb2/amp?tag_id=pub-1/article&debug=1', { origin: ORIGIN });
    const { targeting, ext } = await jsonOf(response);
    expect(targeting.hb_pb).to.equal('1.00');
    expect(ext.debug.resolvedrequest.imp[0].id).to.equal('slot');
  });

  for (const [what, query, regs, consent] of [
    ['a TCF string applies', { gdpr_consent: 'CPXXX', consent_type: '2' }, { gdpr: 1 }, 'CPXXX'],
    [
      'a TCF string does not apply where the page says so',
      { gdpr_consent: 'CPXXX', gdpr_applies: 'false' },
      { gdpr: 0 },
      'CPXXX',
    ],
    ['a US Privacy string', { gdpr_consent: '1YNN', consent_type: '3' }, { us_privacy: '1YNN' }, undefined],
    ['a US Privacy string of which nothing is said', { gdpr_consent: '1YNN' }, { us_privacy: '1YNN' }, undefined],
    [
      'a GPP string',
      { gdpr_consent: 'DBABLA~BVQqAAAAAgA.QA', consent_type: '4', gpp_sid: '7', gdpr_applies: 'false' },
      { gdpr: 0, gpp: 'DBABLA~BVQqAAAAAgA.QA', gpp_sid: [7] },
      undefined,
    ],
    [
      'a GPP string of which nothing is said',
      { gdpr_consent: 'DBABLA~BVQqAAAAAgA.QA' },
      { gpp: 'DBABLA~BVQqAAAAAgA.QA' },
      undefined,
    ],
  ] as const) {
    it(`takes consent: ${what}`, async () => {
      await exchange.bidder(bids({ price: 1 }));
      const { ext } = await jsonOf(await ask({ ...query, debug: '1' }));
      expect(ext.debug.resolvedrequest.regs).to.deep.equal(regs);
      expect(ext.debug.resolvedrequest.user?.consent).to.equal(consent);
    });
  }

  for (const [what, query, withheld] of [
    ['a TCF string', { gdpr_consent: tcString({}), consent_type: '2' }, true],
    ['a GPP string with a TC string', { gdpr_consent: `DBABMA~${tcString({})}`, consent_type: '4' }, true],
    [
      'a GPP string with a TC string where GDPR does not apply',
      { gdpr_consent: `DBABMA~${tcString({})}`, consent_type: '4', gdpr_applies: 'false' },
      false,
    ],
  ] as const) {
    it(`${withheld ? 'withholds' : 'sends'} the viewer’s id with ${what}`, async () => {
      const bidder = await exchange.bidder(bids({ price: 1 }));
      expect((await ask({ tag_id: 'personal', ...query })).status).to.equal(200);
      const [asked] = await bidder.waitForRequests('/bid');
      expect(asked!.body.user?.id).to.equal(withheld ? undefined : 'viewer-1');
    });
  }

  for (const [what, query, format] of [
    ['a width of the page’s', { w: 'auto', h: '50' }, undefined],
    ['a width in parts of the window', { w: '100vw', h: '50' }, undefined],
    ['a width of 0', { w: '0', h: '50' }, undefined],
    ['a fluid height', { w: '320', h: 'fluid' }, undefined],
    ['a fluid override', { w: '320', h: '50', ow: 'fluid', oh: '0' }, [{ w: 320, h: 50 }]],
    ['a fluid size among others', { ms: 'fluid,300x600,0x0' }, [{ w: 300, h: 600 }]],
    ['fluid sizes alone', { ms: 'fluid' }, undefined],
  ] as const) {
    it(`takes ${what} as not given`, async () => {
      const bidder = await exchange.bidder(bids({ price: 1 }));
      expect((await ask(query)).status).to.equal(200);
      const [asked] = await bidder.waitForRequests('/bid');
      const { banner } = asked!.body.imp[0];
      if (format === undefined) expect(banner).to.include({ w: 300, h: 250 });
      else expect(banner.format).to.deep.equal(format);
    });
  }

  for (const [what, query] of [
    ['no tag_id', { tag_id: '' }],
    ['a tag_id that names nothing', { tag_id: 'missing' }],
    ['a stored request with two imps', { tag_id: 'two' }],
    ['targeting that is no object', { targeting: '"text"' }],
  ] as const) {
    it(`refuses ${what}`, async () => {
      expect((await ask(query)).status).to.equal(400);
    });
  }

  it('refuses HEAD and POST, which have no auction', async () => {
    const path = `${exchange.origin}/openrtb2/amp?tag_id=article&account=pub-1`;
    for (const method of ['HEAD', 'POST']) expect((await fetch(path, { method })).status).to.equal(405);
  });
});
