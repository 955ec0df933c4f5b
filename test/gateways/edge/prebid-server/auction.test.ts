import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { CurrencyRates } from '#exchange/currency/currency-rates';
import { DEFAULT_BIDDER_SETTINGS } from '#gateways/bidders/settings';
import { bids, noBid } from '#test/support/bidder';
import { BROWSER_USER_AGENT } from '#test/support/browser';
import { EdgeUnderTest, jsonOf } from '#test/support/edge';
import { putStored } from './stored.ts';

const VAST =
  '<VAST version="3.0"><Ad id="1"><InLine><AdSystem>t</AdSystem><AdTitle>t</AdTitle><Impression>https://d.test/i</Impression><Creatives/></InLine></Ad></VAST>';
const NATIVE = JSON.stringify({ ver: '1.2', assets: [{ id: 1, required: 1, title: { len: 30 } }] });

type Json = Record<string, unknown>;

/** Bidders answer when they are told to. */
const SLOW = { ...DEFAULT_BIDDER_SETTINGS, maxTimeoutMs: 10_000, allowPrivateNetworks: true };

describe('POST /openrtb2/auction', () => {
  let exchange: EdgeUnderTest;
  let sent = 0;
  beforeEach(async () => {
    exchange = await new EdgeUnderTest({ maxAuctionMs: 60_000, bidders: SLOW }).start();
  });
  afterEach(() => exchange.close());

  const imp = (more: Json = {}, code = 'adexchange') => ({
    id: '1',
    banner: { format: [{ w: 300, h: 250 }] },
    ext: { prebid: { bidder: { [code]: { publisherId: 'pub-1' } } } },
    ...more,
  });
  const request = (prebid: Json = {}, more: Json = {}): Json => ({
    id: `auction-${++sent}`,
    site: { page: 'https://site.test/', publisher: { id: 'account' } },
    imp: [imp()],
    ext: { prebid },
    ...more,
  });
  const headers = {
    'content-type': 'text/plain',
    origin: 'https://site.test',
    'user-agent': BROWSER_USER_AGENT,
  };
  const ask = (body: unknown, more: Record<string, string> = {}) =>
    exchange.post(body, { ...headers, ...more }, '/openrtb2/auction');

  it('refuses more imps than an auction has before it reads any of them', async () => {
    const imps = Array.from({ length: 51 }, () => ({ ext: { prebid: { bidder: { a: {} } } } }));
    const response = await ask(request({}, { imp: imps }));
    expect(response.status).to.equal(400);
    expect((await jsonOf(response)).error.message).to.equal('request.imp must hold at most 50 elements.');
  });

  it('stores all bids at once, so that a slow cache holds the answer up once', async () => {
    await exchange.bidder(bids({ price: 1 }));
    const waiting: (() => void)[] = [];
    exchange.texts.put = () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 2) for (const end of waiting) end();
      });
    const asked = request({ cache: { bids: {} } }, { imp: [imp(), imp({ id: '2' })] });
    const { seatbid } = await jsonOf(await ask(asked));
    for (const bid of seatbid[0].bid) expect(bid.ext.prebid.cache.bids.cacheId).to.be.a('string');
    expect(seatbid[0].bid).to.have.length(2);
  });

  it('refuses more configurations of a bidder than it may have', async () => {
    const of = (bidders: string[]) => ({ bidders, config: { ortb2: { site: { name: 'one' } } } });
    await exchange.bidder(noBid());
    const ask51 = async (bidders: string[]) =>
      (await ask(request({ bidderconfig: Array.from({ length: 51 }, () => of(bidders)) }))).status;
    expect(await ask51(['adexchange'])).to.equal(400);
    expect(await ask51(['another'])).to.equal(200);
  });

  it('refuses what nests too deep, wherever it stands', async () => {
    const levels = 100_000;
    putStored(exchange, 'pub-1', { requests: { home: { user: { ext: { deep: {} } } } } });
    const text = (more: Json) =>
      JSON.stringify(request({}, more)).replace('"DEEP"', `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
    for (const more of [
      { user: { ext: { deep: 'DEEP' } }, ext: { prebid: { storedrequest: { id: 'pub-1' } } } },
      { user: { ext: { deep: 'DEEP' } }, ext: { prebid: { storedrequest: { id: 'pub-1/home' } } } },
      { ext: { prebid: { passthrough: 'DEEP' } } },
      { test: 1, ext: { prebid: { unread: 'DEEP' } } },
    ]) {
      const response = await ask(text(more));
      expect(response.status, JSON.stringify(more)).to.equal(400);
    }
  });

  it('answers as Prebid Server: the code that was asked for, type, mtype, prices, times', async () => {
    await exchange.bidder(bids({ price: 1.87, seat: 'seat-9', adomain: ['advertiser.test'] }), { id: 'dsp-9' });
    const response = await ask(request());
    expect(response.status).to.equal(200);
    expect(response.headers.get('access-control-allow-origin')).to.equal('https://site.test');
    expect(response.headers.get('access-control-allow-credentials')).to.equal('true');
    const answer = await jsonOf(response);
    expect(answer).to.include({ id: `auction-${sent}`, cur: 'USD' });
    const [{ seat, bid, group }, ...others] = answer.seatbid;
    expect(others).to.deep.equal([]);
    expect({ seat, group }).to.deep.equal({ seat: 'adexchange', group: 0 });
    expect(bid[0]).to.include({ impid: '1', price: 1.87, mtype: 1, w: 300, h: 250 });
    expect(bid[0].ext.prebid).to.deep.equal({
      type: 'banner',
      meta: { mediaType: 'banner', advertiserDomains: ['advertiser.test'] },
    });
    expect(bid[0].ext).to.include({ origbidcpm: 1.87, origbidcur: 'USD' });
    expect(bid[0].adm).to.contain('/track/impression?');
    expect(answer.ext.responsetimemillis.adexchange).to.be.a('number');
    expect(answer.ext.prebid.auctiontimestamp).to.be.closeTo(Date.now(), 60_000);
    expect(answer.ext).to.not.have.any.keys('errors', 'debug', 'seatnonbid');
    expect(JSON.stringify(answer)).to.not.contain('seat-9');
  });

  it('answers 200 with no seats where nothing is sold', async () => {
    await exchange.bidder(noBid());
    const response = await ask(request({ returnallbidstatus: true }));
    expect(response.status).to.equal(200);
    const { seatbid, ext } = await jsonOf(response);
    expect(seatbid).to.deep.equal([]);
    const nonBids = [{ seat: 'adexchange', nonbid: [{ impid: '1', statuscode: 0 }] }];
    expect(ext.prebid.seatnonbid).to.deep.equal(nonBids);
    expect(ext.seatnonbid).to.deep.equal(nonBids);
  });

  it('says of bidders that it does not know, and sells all the same', async () => {
    await exchange.bidder(bids({ price: 1 }));
    const bidder = { adexchange: { publisherId: 'pub-1' }, rubicon: {} };
    const asked = request({ returnallbidstatus: true }, { imp: [imp({ ext: { prebid: { bidder } } })] });
    const { seatbid, ext } = await jsonOf(await ask(asked));
    expect(seatbid).to.have.length(1);
    expect(ext.errors.rubicon).to.have.length(1);
    expect(ext.errors.rubicon[0]).to.include({ code: 2 });
    expect(ext.prebid.seatnonbid).to.deep.equal([{ seat: 'rubicon', nonbid: [{ impid: '1', statuscode: 200 }] }]);
  });

  it('bids under an alias', async () => {
    await exchange.bidder(bids({ price: 1 }));
    const aliased = request({ aliases: { house: 'adexchange' }, targeting: {} }, { imp: [imp({}, 'house')] });
    const { seatbid } = await jsonOf(await ask(aliased));
    expect(seatbid[0].seat).to.equal('house');
    expect(seatbid[0].bid[0].ext.prebid.targeting).to.include({ hb_bidder: 'house', hb_pb_house: '1.00' });
  });

  it('takes gzip, JSON and the id of the supply source as the account', async () => {
    const bidder = await exchange.bidder(bids({ price: 1 }));
    const body = gzipSync(
      JSON.stringify(request({}, { site: { publisher: { id: 'pub-1' } }, imp: [imp({ ext: {} })] })),
    );
    const response = await exchange.post(
      body,
      { ...headers, 'content-type': 'application/json' },
      '/openrtb2/auction?gzip=1',
    );
    expect(response.status).to.equal(200);
    expect((await jsonOf(response)).seatbid).to.have.length(1);
    const [asked] = await bidder.waitForRequests('/bid');
    expect(JSON.stringify(asked!.body)).to.not.contain('prebid');
    expect(asked!.body.device).to.include({ ua: BROWSER_USER_AGENT });
  });

  it('states each format: video, native', async () => {
    await exchange.bidder(({ body }, response) => {
      const bid = (impid: string, more: Json) => ({
        id: impid,
        impid,
        price: 2,
        crid: `c-${impid}`,
        adomain: ['a.test'],
        ...more,
      });
      const native = JSON.stringify({
        native: { assets: [{ id: 1, title: { text: 'T' } }], link: { url: 'https://a.test/' } },
      });
      const all = [bid('v', { adm: VAST, mtype: 2, dur: 15 }), bid('n', { adm: native, mtype: 4 })];
      response.end(JSON.stringify({ id: body.id, seatbid: [{ bid: all }] }));
    });
    const video = { mimes: ['video/mp4'], protocols: [3], w: 640, h: 480, minduration: 5, maxduration: 30 };
    const { banner: _, ...plain } = imp();
    const asked = request(
      {},
      {
        imp: [
          { ...plain, id: 'v', video },
          { ...plain, id: 'n', native: { request: NATIVE, ver: '1.2' } },
        ],
      },
    );
    const { seatbid } = await jsonOf(await ask(asked));
    const [{ bid }] = seatbid;
    const told = bid.map(
      ({ mtype, ext, impid }: { mtype: number; impid: string; ext: { prebid: { type: string } } }) => [
        impid,
        mtype,
        ext.prebid.type,
      ],
    );
    expect(told).to.have.deep.members([
      ['v', 2, 'video'],
      ['n', 4, 'native'],
    ]);
    expect(bid.find(({ impid }: { impid: string }) => impid === 'v').ext.prebid.video).to.deep.equal({ duration: 15 });
    expect(bid.find(({ impid }: { impid: string }) => impid === 'v')).to.not.have.property('nurl');
  });

  it('gives back what was passed through, and the time limit', async () => {
    await exchange.bidder(bids({ price: 1 }));
    const passed = imp();
    Object.assign(passed.ext.prebid, { passthrough: { of: 'imp' } });
    const asked = request(
      { passthrough: { of: 'request' }, channel: { name: 'pbjs', version: '11' } },
      { imp: [passed], tmax: 900 },
    );
    const { seatbid, ext } = await jsonOf(await ask(asked));
    expect(seatbid[0].bid[0].ext.prebid.passthrough).to.deep.equal({ of: 'imp' });
    expect(ext.prebid.passthrough).to.deep.equal({ of: 'request' });
    expect(ext.tmaxrequest).to.equal(900);
  });

  it('tells developers what was asked, and nothing of who was asked', async () => {
    const bidder = await exchange.bidder(bids({ price: 1.5 }), { id: 'dsp-secret' });
    await exchange.bidder(bids({ price: 0.75, crid: 'loser' }), { id: 'dsp-other' });
    for (const asked of [request({ debug: true }), request({}, { test: 1 })]) {
      const text = await (await ask(asked)).text();
      const { ext } = JSON.parse(text);
      expect(ext.debug.resolvedrequest).to.deep.include({ id: asked.id, imp: asked.imp });
      const [call] = ext.debug.httpcalls.adexchange;
      expect(call).to.include({ uri: 'https://edge.test/rtb', status: 200 });
      expect(JSON.parse(call.requestbody).site.id).to.equal('pub-1');
      expect(JSON.parse(call.responsebody).seatbid[0].bid[0].price).to.equal(1.5);
      expect(text).to.not.contain('loser').and.not.contain(bidder.url).and.not.contain('dsp-other');
    }
  });

  it('tells developers of its one call once, under whatever codes it was asked, and not of a large one', async () => {
    await exchange.bidder(noBid());
    const codes = Array.from({ length: 50 }, (_, index) => `alias-${index}`);
    const aliases = Object.fromEntries(codes.map((code) => [code, 'adexchange']));
    const imps = codes.map((code, index) => ({ ...imp({}, code), id: `${index}` }));
    const asked = (characters: number, prebid: Json = {}) =>
      request({ aliases, debug: true, ...prebid }, { imp: imps, user: { ext: { list: lists(characters) } } });
    const lists = (characters: number) => Array.from({ length: characters / 16_000 }, () => '"'.repeat(16_000));

    const small = (await jsonOf(await ask(asked(16_000)))).ext;
    expect(Object.keys(small.debug.httpcalls)).to.deep.equal(['alias-0']);
    expect(small).to.not.have.property('warnings');
    for (const large of [asked(320_000), asked(16_000, { unread: lists(320_000) })]) {
      const text = await (await ask(large)).text();
      const { ext } = JSON.parse(text);
      expect(ext).to.not.have.property('debug');
      expect(ext.warnings.prebid).to.have.length(1);
      expect(text.length).to.be.below(50_000);
    }
  });

  it('caches bids and VAST where that is asked for, for any page to fetch', async () => {
    await exchange.bidder(bids({ price: 3, adm: VAST, w: undefined, h: undefined, mtype: 2 }));
    const video = { mimes: ['video/mp4'], protocols: [3], w: 640, h: 480, minduration: 5, maxduration: 30 };
    const { banner: _, ...plain } = imp();
    const asked = request({ targeting: {}, cache: { bids: {}, vastxml: {} } }, { imp: [{ ...plain, video }] });
    const { seatbid } = await jsonOf(await ask(asked));
    const [bid] = seatbid[0].bid;
    const { targeting, cache } = bid.ext.prebid;
    expect(targeting).to.include({ hb_cache_host: 'edge.test', hb_cache_path: '/cache' });
    expect(targeting.hb_uuid).to.equal(cache.vastXml.cacheId);
    expect(cache.bids).to.deep.equal({
      cacheId: targeting.hb_cache_id,
      url: `https://edge.test/cache?uuid=${targeting.hb_cache_id}`,
    });
    const cached = await exchange.get(`/cache?uuid=${targeting.hb_cache_id}`, { origin: 'https://creative.test' });
    expect(cached.headers.get('content-type')).to.contain('application/json');
    expect(cached.headers.get('access-control-allow-origin')).to.equal('https://creative.test');
    expect(await jsonOf(cached)).to.include({ adm: bid.adm, burl: bid.burl });
    const vast = await exchange.get(`/cache?uuid=${targeting.hb_uuid}`);
    expect(vast.headers.get('content-type')).to.contain('application/xml');
    expect(vast.headers.get('content-security-policy')).to.contain('sandbox');
    expect(await vast.text()).to.equal(bid.adm);
    expect((await exchange.get('/cache?uuid=nothing')).status).to.equal(404);
    expect((await exchange.get('/cache?uuid=../secret')).status).to.equal(404);
    expect((await exchange.get('/cache')).status).to.equal(400);
  });

  it('answers a request that is repeated while its auction is under way with the same sale', async () => {
    const asked: (() => void)[] = [];
    const bidder = await exchange.bidder(
      (received, response) => asked.push(() => bids({ price: 2 })(received, response)),
      { timeoutMs: 60_000 },
    );
    const repeated = JSON.stringify(request({ targeting: {}, cache: { bids: {} } }));
    const first = ask(repeated);
    await bidder.waitForRequests('/bid');
    const second = ask(repeated);
    // Another request, which comes behind it and is asked for.
    const other = ask(request());
    await bidder.waitForRequests('/bid', 2);
    for (const answer of asked) answer();
    const [one, two] = [await jsonOf(await first), await jsonOf(await second)];
    expect(one.seatbid[0].bid[0].ext.prebid.targeting.hb_cache_id).to.be.a('string');
    expect(two).to.deep.equal(one);
    expect((await other).status).to.equal(200);
    expect(exchange.sold).to.have.length(2);
    expect((await ask(repeated)).status).to.equal(403);
  });

  for (const [what, body, status] of [
    ['no JSON', '{', 400],
    ['no object', '[]', 400],
    [
      'an imp without a format',
      { imp: [{ id: '1', ext: { prebid: { bidder: { adexchange: { publisherId: 'pub-1' } } } } }] },
      400,
    ],
    [
      'an unknown supply source',
      { imp: [imp({ ext: { prebid: { bidder: { adexchange: { publisherId: 'nobody' } } } } })] },
      403,
    ],
    ['other bidders alone', { imp: [imp({}, 'rubicon')] }, 400],
    ['a granularity of nothing', { ext: { prebid: { targeting: { pricegranularity: {} } } } }, 400],
  ] as const) {
    it(`refuses ${what}`, async () => {
      await exchange.bidder(bids({ price: 1 }));
      const asked = typeof body === 'string' ? body : { ...request(), ...body };
      expect((await ask(asked)).status).to.equal(status);
      expect(exchange.sold).to.have.length(0);
    });
  }

  it('answers in the currency that was asked for, key values and all, where there are rates', async () => {
    const rates = new CurrencyRates({ asOf: '2026-03-15T00:00:00.000Z', dollarsPerUnit: { EUR: 1.25 } });
    Object.assign(exchange.deps, { currencyRates: { current: () => rates } });
    await exchange.bidder(bids({ price: 2 }));
    const { cur, seatbid } = await jsonOf(
      await ask(request({ targeting: { pricegranularity: 'high' } }, { cur: ['EUR'] })),
    );
    expect(cur).to.equal('EUR');
    expect(seatbid[0].bid[0]).to.include({ price: 1.6 });
    expect(seatbid[0].bid[0].ext).to.include({ origbidcur: 'EUR' });
    expect(seatbid[0].bid[0].ext.prebid.targeting.hb_pb).to.equal('1.60');
  });

  it('refuses a page of another site, whatever supply source it names', async () => {
    await exchange.bidder(bids({ price: 1 }));
    expect((await ask(request({}, { site: { page: 'https://elsewhere.test/' } }))).status).to.equal(403);
    const { site: _, ...unstated } = request();
    expect((await ask(unstated, { referer: 'https://elsewhere.test/' })).status).to.equal(403);
    expect(exchange.sold).to.have.length(0);
  });

  it('refuses GET and an unknown key', async () => {
    const response = await exchange.get('/openrtb2/auction');
    expect(response.status).to.equal(405);
    expect((await ask(request(), { 'x-api-key': 'wrong' })).status).to.equal(401);
  });
});
