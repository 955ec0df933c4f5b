import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { bids, noBid, status } from '../../support/bidder.ts';
import { bannerRequest, EdgeUnderTest, jsonOf } from '../../support/edge.ts';
import { pixelOf } from '../../support/pixel-of.ts';
import { steadyClock } from '../../support/steady-clock.ts';

const VAST =
  '<VAST version="3.0"><Ad id="1"><InLine><AdSystem>t</AdSystem><AdTitle>t</AdTitle><Impression>https://d.test/i</Impression><Creatives/></InLine></Ad></VAST>';

const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');

describe('POST /rtb', () => {
  let exchange: EdgeUnderTest;
  beforeEach(async () => {
    exchange = await new EdgeUnderTest().start();
  });
  afterEach(() => exchange.close());

  it('auctions a banner and answers with the highest bid, tracked', async () => {
    await exchange.bidder(bids({ price: 1.25 }), { id: 'dsp-1' });
    await exchange.bidder(bids({ price: 2.5, seat: 'seat-2', crid: 'c-2', lurl: 'https://dsp.test/lost' }), {
      id: 'dsp-2',
    });
    const response = await exchange.post(bannerRequest());
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.equal('application/json');
    expect(response.headers.get('x-request-id')).to.match(/^[\w-]{22}$/);
    expect(response.headers.get('x-openrtb-version')).to.equal('2.6');
    const answer = await jsonOf(response);
    expect(answer).to.deep.include({ id: 'request-1', cur: 'USD' });
    expect(answer.seatbid).to.have.length(1);
    expect(answer.seatbid[0].seat).to.equal('seat-2');
    const [bid, ...others] = answer.seatbid[0].bid;
    expect(others).to.deep.equal([]);
    expect(bid).to.include({ impid: '1', price: 2.5, crid: 'c-2' });
    expect(bid).to.not.have.property('lurl');
    expect(bid.burl).to.match(
      /^https:\/\/edge\.test\/track\/impression\?id=request-1&pub=pub-1&dsp=dsp-2&price=2500000&/,
    );
    expect(bid.nurl).to.match(/^https:\/\/edge\.test\/track\/win\?/);
    expect(bid.adm).to.match(/^<img src="https:\/\/edge\.test\/track\/impression\?/);
    expect(bid.adm).to.contain('style="display:none"');
    expect(bid.adm.endsWith('<a href="https://advertiser.test/">an ad</a>')).to.equal(true);
  });

  it('counts a bid with an empty crid under no creative, as its impression will be', async () => {
    await exchange.bidder(bids({ price: 1, crid: '' }), { id: 'dsp-1' });
    expect((await exchange.post(bannerRequest())).status).to.equal(200);
    expect(await exchange.counted('dsp', 'dsp-1')).to.include({ bids: 1, wins: 1 });
    const told = exchange.toldMessages.filter(({ id }) => id.startsWith('dsp:dsp-1:'));
    expect(told.flatMap(({ body }) => body.creatives)).to.deep.equal([]);
  });

  it('serves / as it serves /rtb', async () => {
    await exchange.bidder(bids({ price: 1 }));
    expect((await exchange.post(bannerRequest(), {}, '/')).status).to.equal(200);
  });

  it('puts the tracking URL into a VAST Impression', async () => {
    await exchange.bidder(bids({ price: 3, adm: VAST, w: undefined, h: undefined }));
    const video = { mimes: ['video/mp4'], protocols: [3], w: 640, h: 480, minduration: 5, maxduration: 30 };
    const answer = await jsonOf(await exchange.post(bannerRequest({ imp: [{ id: '1', video }] })));
    const { adm, burl } = answer.seatbid[0].bid[0];
    expect(adm).to.contain('https://d.test/i');
    expect(adm.match(/<Impression/g)).to.have.length(2);
    expect(adm.replace(/&amp;/g, '&')).to.contain(pixelOf(burl)).and.not.contain(burl);
  });

  it('sells each imp of a request by itself', async () => {
    await exchange.bidder(
      ({ body }, response) => {
        const bid = { id: 'b', impid: '2', price: 4, adm: '<b>2</b>', crid: 'c', w: 300, h: 250 };
        response.end(JSON.stringify({ id: body.id, seatbid: [{ bid: [bid] }] }));
      },
      { id: 'dsp-1' },
    );
    await exchange.bidder(bids({ price: 3 }), { id: 'dsp-2' });
    const imp = ['1', '2', '3'].map((id) => ({ id, banner: { w: 300, h: 250 }, bidfloor: id === '3' ? 3.5 : 0 }));
    const answer = await jsonOf(await exchange.post(bannerRequest({ imp })));
    const sold = answer.seatbid.flatMap(({ bid }: { bid: { impid: string; price: number }[] }) => bid);
    expect(sold.map(({ impid, price }: { impid: string; price: number }) => [impid, price])).to.have.deep.members([
      ['1', 3],
      ['2', 4],
    ]);
    expect(await exchange.counted('publisher', 'pub-1')).to.include({ auctions: 1, imps: 3, filledImps: 2 });
  });

  it('answers 204 without a body when no one bids above the floor', async () => {
    const bidder = await exchange.bidder(bids({ price: 0.99 }));
    for (const [publisher, pool, imp] of [
      [1_000_000, 0, 0],
      [0, 1_000_000, 0],
      [0, 0, 1],
    ] as const) {
      exchange.publisher({ floorCpmMicros: publisher });
      exchange.pool({ floorCpmMicros: pool });
      const response = await exchange.post(
        bannerRequest({ imp: [{ id: '1', banner: { w: 300, h: 250 }, bidfloor: imp }] }),
      );
      expect(response.status).to.equal(204);
      expect(response.headers.get('x-openrtb-version')).to.equal('2.6');
      expect(response.headers.get('x-request-id')).to.match(/^[\w-]{22}$/);
      expect(await response.text()).to.equal('');
    }
    const asked = await bidder.waitForRequests('/bid', 3);
    expect(asked.map(({ body }) => body.imp[0].bidfloor)).to.deep.equal([1, 1, 1]);
    bidder.script = noBid();
    expect((await exchange.post(bannerRequest())).status).to.equal(204);
    expect(await exchange.counted('dsp', 'dsp-1')).to.include({
      bidRequests: 4,
      bids: 3,
      noBids: 1,
      'losses/below-floor': 3,
    });
  });

  it('asks only active RTB demand that takes the publisher’s pool, and follows the catalogue', async () => {
    const bidder = await exchange.bidder(bids({ price: 1 }));
    const elsewhere = await exchange.bidder(bids({ price: 9 }), { id: 'dsp-2', poolIds: ['pool-2'] });
    const archived = await exchange.bidder(bids({ price: 9 }), { id: 'dsp-3', status: 'archived' });
    const sandbox = await exchange.bidder(bids({ price: 9 }), { id: 'dsp-4', status: 'sandbox' });
    exchange.dsp({ id: 'dsp-5', mode: 'delegate', endpointUrl: null });
    expect((await jsonOf(await exchange.post(bannerRequest()))).seatbid[0].bid[0].price).to.equal(1);

    exchange.dsp({ endpointUrl: bidder.url, poolIds: [] });
    expect((await exchange.post(bannerRequest())).status).to.equal(204);
    exchange.dsp({ endpointUrl: bidder.url, poolIds: ['pool-0', 'pool-1'] });
    expect((await exchange.post(bannerRequest())).status).to.equal(200);
    exchange.replica.remove('dsp', 'dsp-1');
    expect((await exchange.post(bannerRequest())).status).to.equal(204);
    exchange.publisher({ poolId: null });
    expect((await exchange.post(bannerRequest())).status).to.equal(204);
    for (const other of [elsewhere, archived, sandbox]) expect(other.received).to.deep.equal([]);
    expect(bidder.received).to.have.length(2);
  });

  const publishers: readonly (readonly [where: string, fields: Record<string, unknown>])[] = [
    ['site.id', { site: { id: 'pub-1' } }],
    ['site.publisher.id', { site: { id: 'somebody', publisher: { id: 'pub-1' } } }],
    ['app.id', { site: undefined, app: { id: 'pub-1' } }],
    ['app.publisher.id', { site: undefined, app: { publisher: { id: 'pub-1' } } }],
  ];
  for (const [where, fields] of publishers) {
    it(`finds the publisher in ${where}`, async () => {
      await exchange.bidder(bids({ price: 1 }));
      const response = await exchange.post(bannerRequest(fields));
      expect(response.status).to.equal(200);
      expect((await jsonOf(response)).seatbid[0].bid[0].burl).to.contain('pub=pub-1');
    });
  }

  it('sends each bidder its dialect, the seller’s terms and the time it has', async () => {
    exchange.publisher({
      blockedDomains: ['bad.test'],
      blockedCategories: ['IAB7'],
      contentGenre: 'drama',
      floorCpmMicros: 500_000,
    });
    const new26 = await exchange.bidder(noBid(), { id: 'dsp-1' });
    const old25 = await exchange.bidder(noBid(), { id: 'dsp-2', openrtbVersion: '2.5', timeoutMs: 70 });
    await exchange.post(
      bannerRequest({ tmax: 5_000, regs: { gdpr: 1, gpp: 'DBAA' }, badv: ['worse.test'], ext: { theirs: { a: 1 } } }),
    );
    const [to26] = await new26.waitForRequests('/bid');
    const [to25] = await old25.waitForRequests('/bid');
    expect(to26!.headers['x-openrtb-version']).to.equal('2.6');
    expect(to25!.headers['x-openrtb-version']).to.equal('2.5');
    expect(to26!.body.regs.gdpr).to.equal(1);
    expect(to25!.body.regs.ext.gdpr).to.equal(1);
    for (const { body } of [to26!, to25!]) {
      expect(body.badv).to.have.members(['worse.test', 'bad.test']);
      expect(body.bcat).to.have.members(['IAB7', 'IAB25', 'IAB26']);
      expect(body.imp[0].banner.battr).to.have.members([1, 14]);
      expect(body.imp[0].bidfloor).to.equal(0.5);
      expect(body.site.content.genre).to.equal('drama');
      expect(body.ext.theirs).to.deep.equal({ a: 1 });
    }
    expect(to26!.body.tmax).to.equal(150);
    expect(to25!.body.tmax).to.equal(70);
  });

  it('keeps to the caller’s tmax', async () => {
    await exchange.bidder(() => undefined);
    const tookMs: number[] = [];
    for (let attempt = 0; attempt < 5; attempt++) {
      const startedMs = steadyClock.monotonic();
      expect((await exchange.post(bannerRequest({ tmax: 60 }))).status).to.equal(204);
      tookMs.push(steadyClock.monotonic() - startedMs);
    }
    // By the edge's clock; the longest that a bidder gets is 150 ms.
    expect(Math.min(...tookMs)).to.be.below(130);
    expect(await exchange.counted('dsp', 'dsp-1')).to.include({ bidRequests: 5, timeouts: 5 });
    expect((await exchange.post(bannerRequest({ tmax: 12 }))).status).to.equal(204);
    expect(await exchange.counted('dsp', 'dsp-1')).to.include({ bidRequests: 5, 'notCalled/insufficient-time': 1 });
  });

  it('takes gzip in and gives gzip out when asked', async () => {
    await exchange.bidder(bids({ price: 1, adm: `<p>${'long '.repeat(500)}</p>` }));
    const packed = gzipSync(JSON.stringify(bannerRequest()));
    const answer = await jsonOf(await exchange.post(packed, { 'content-encoding': 'gzip', 'accept-encoding': 'gzip' }));
    expect(answer.seatbid[0].bid[0].price).to.equal(1);

    const { request } = await import('node:http');
    const asked = bannerRequest();
    const raw = await new Promise<{ encoding: string | undefined; bytes: Buffer }>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'accept-encoding': 'br, gzip;q=0.8' };
      const call = request(`${exchange.origin}/rtb`, { method: 'POST', headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ encoding: response.headers['content-encoding'], bytes: Buffer.concat(chunks) }),
        );
      });
      call.on('error', reject);
      call.end(JSON.stringify(asked));
    });
    expect(raw.encoding).to.equal('gzip');
    expect(JSON.parse(gunzipSync(raw.bytes).toString()).id).to.equal(asked.id);
    const plain = await exchange.post(bannerRequest(), { 'accept-encoding': 'gzip;q=0' });
    expect(plain.headers.get('content-encoding')).to.equal(null);
  });

  describe('sandbox and keys', () => {
    it('never lets sandbox and live traffic meet', async () => {
      const live = await exchange.bidder(bids({ price: 1 }), { id: 'dsp-1' });
      const sandbox = await exchange.bidder(bids({ price: 2 }), { id: 'dsp-2', status: 'sandbox' });
      exchange.publisher({ id: 'pub-2', status: 'sandbox' });
      exchange.apiKey('pk_sandbox_1', { environment: 'sandbox' });
      exchange.apiKey('pk_live_1');
      const price = async (site: string, headers: Record<string, string> = {}, path = '/rtb') => {
        const answer = await jsonOf(await exchange.post(bannerRequest({ site: { id: site } }), headers, path));
        const { price, burl } = answer.seatbid[0].bid[0];
        expect(burl.includes('sandbox=true')).to.equal(price === 2);
        return price;
      };
      expect(await price('pub-1')).to.equal(1);
      expect(await price('pub-1', { 'x-api-key': 'pk_live_1' })).to.equal(1);
      expect(await price('pub-2')).to.equal(2);
      expect(await price('pub-2', { 'x-api-key': 'pk_live_1' })).to.equal(2);
      expect(await price('pub-1', { 'x-api-key': 'pk_sandbox_1' })).to.equal(2);
      expect(await price('pub-1', { 'x-sandbox': 'true' })).to.equal(2);
      expect(await price('pub-1', {}, '/rtb?sandbox=true')).to.equal(2);
      expect(live.received).to.have.length(2);
      expect(sandbox.received).to.have.length(5);
      expect(await exchange.counted('publisher', 'pub-1')).to.include({ auctions: 2 });
      expect(await exchange.counted('publisher', 'pub-1', true)).to.include({ auctions: 3 });
    });

    it('refuses a key that is not ours, and a publisher of another account than the key’s', async () => {
      exchange.apiKey('pk_live_2', { accountId: 'account-2' });
      const unknown = await exchange.post(bannerRequest(), { 'x-api-key': 'pk_live_nobody' });
      expect(unknown.status).to.equal(401);
      expect((await jsonOf(unknown)).error.code).to.equal('UNAUTHORIZED');
      expect((await exchange.post(bannerRequest(), { 'x-api-key': '' })).status).to.equal(401);
      const foreign = await exchange.post(bannerRequest(), { 'x-api-key': 'pk_live_2' });
      expect(foreign.status).to.equal(403);
    });

    it('takes a publisher’s own source key, for that publisher alone and while it is its key', async () => {
      const statusOf = async (key: string, publisherId = 'pub-1') =>
        (await exchange.post(bannerRequest({ site: { id: publisherId } }), { 'x-api-key': key })).status;
      const [first, second] = ['pub_1_first', 'pub_2_second'];
      exchange.publisher({ sourceKeyId: hashOf(first) });
      exchange.publisher({ id: 'pub-2' });
      expect([await statusOf(first), await statusOf(first, 'pub-2'), await statusOf(second)]).to.deep.equal([
        204, 403, 401,
      ]);
      exchange.publisher({ sourceKeyId: hashOf(second) });
      expect([await statusOf(first), await statusOf(second)]).to.deep.equal([401, 204]);
      exchange.publisher({ sourceKeyId: hashOf(second), status: 'archived' });
      expect(await statusOf(second)).to.equal(401);
    });

    it('takes an API key until it expires', async () => {
      const statusWith = async (key: string) => (await exchange.post(bannerRequest(), { 'x-api-key': key })).status;
      exchange.apiKey('pk_live_lasting', { expiresAtMs: Date.now() + 3_600_000 });
      exchange.apiKey('pk_live_over', { expiresAtMs: Date.now() - 1 });
      expect([await statusWith('pk_live_lasting'), await statusWith('pk_live_over')]).to.deep.equal([204, 401]);
    });
  });

  it('goes on when a winner’s markup cannot be tracked: the next one wins', async () => {
    const broken = '<VAST version="3.0"><Ad></VAST>';
    await exchange.bidder(bids({ price: 5, adm: broken, w: undefined, h: undefined }), { id: 'dsp-1' });
    await exchange.bidder(bids({ price: 2, adm: VAST, w: undefined, h: undefined }), { id: 'dsp-2' });
    const video = { mimes: ['video/mp4'], protocols: [3], w: 640, h: 480, minduration: 5, maxduration: 30 };
    const answer = await jsonOf(await exchange.post(bannerRequest({ imp: [{ id: '1', video }] })));
    expect(answer.seatbid[0].bid[0].price).to.equal(2);
    expect(await exchange.counted('dsp', 'dsp-1')).to.include({ bids: 1, 'losses/creative-rejected': 1 });
    expect(await exchange.counted('dsp', 'dsp-2')).to.include({ bids: 1, wins: 1 });
  });

  it('withdraws a whole group when one of its creatives cannot be tracked', async () => {
    const video = { mimes: ['video/mp4'], protocols: [3], w: 640, h: 480, minduration: 5, maxduration: 30 };
    await exchange.bidder(
      ({ body }, response) => {
        const bid = [
          { id: 'fit', impid: '1', price: 5, adm: VAST },
          { id: 'broken', impid: '2', price: 5, adm: '<VAST version="3.0"><Ad></VAST>' },
        ];
        response.end(JSON.stringify({ id: body.id, seatbid: [{ bid, group: 1 }] }));
      },
      { id: 'dsp-1' },
    );
    await exchange.bidder(bids({ price: 2, adm: VAST, w: undefined, h: undefined }), { id: 'dsp-2' });
    const imp = ['1', '2'].map((id) => ({ id, video }));
    const answer = await jsonOf(await exchange.post(bannerRequest({ imp })));
    const sold = answer.seatbid.flatMap(({ bid }: { bid: { impid: string; price: number }[] }) => bid);
    expect(sold.map(({ impid, price }: { impid: string; price: number }) => [impid, price])).to.deep.equal([
      ['1', 2],
      ['2', 2],
    ]);
    const lost = await exchange.counted('dsp', 'dsp-1');
    expect(lost).to.include({ bids: 2, 'losses/creative-rejected': 1, 'losses/group-not-won': 1 });
    expect(lost).to.not.have.property('wins');
  });

  it('is deaf to a bidder that is down while another bids', async () => {
    const down = await exchange.bidder(bids({ price: 9 }), { id: 'dsp-1' });
    await down.close();
    await exchange.bidder(status(500), { id: 'dsp-2' });
    await exchange.bidder(bids({ price: 1 }), { id: 'dsp-3' });
    expect((await exchange.post(bannerRequest())).status).to.equal(200);
    expect(await exchange.counted('dsp', 'dsp-1')).to.include({ 'errors/unreachable': 1 });
    expect(await exchange.counted('dsp', 'dsp-2')).to.include({ 'errors/http-error': 1 });
  });
});
