import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import {
  bids,
  halfResponse,
  malformedJson,
  noBid,
  type Script,
  silent,
  startBidder,
  status,
} from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { callJson } from '../support/exchange.ts';
import { freePort } from '../support/free-port.ts';
import { ABSENT_ID, againstExchange, errorOf } from './against-exchange.ts';
import { VAST } from './market.ts';
import { shows } from './shows.ts';

const SCENARIOS = ['ctv-uae-drama', 'mobile-uk-sport', 'web-us-news', 'ctv-timeout'];
const path = '/api/sandbox/test-bid';

againstExchange('test bids', (exchange) => {
  const closing: (() => Promise<void>)[] = [];
  after(() => Promise.all(closing.map((close) => close())));

  const get = (query = '') => exchange.get(`${path}${query}`);
  const demand = async (fields: object) =>
    (await exchange.create('/api/demand/sources', { mode: 'rtb', sandbox: true, ...fields })).id as string;
  const bidder = async (script: Script, fields: object = {}) => {
    const running = await startBidder(script);
    closing.push(() => running.close());
    return { running, dspId: await demand({ endpoint_url: running.url, ...fields }) };
  };
  /** The result of a test bid with a bidder of that script. */
  const tried = async (script: Script, fields: object = {}, scenario = 'mobile-uk-sport') => {
    const { running, dspId } = await bidder(script, fields);
    const answer = await exchange.call('POST', path, { dsp_id: dspId, scenario });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return { ...answer.body, running, dspId };
  };
  const banner = { w: 320, h: 50 };

  describe('written', () => {
    shows('sandbox.test-bid.get', async () => {
      const { running, dspId } = await bidder(noBid());
      const { status, body } = await get();
      expect(status).to.equal(200);
      expect(body).to.include.all.keys('id', 'imp', 'device', 'user', 'regs', 'source', 'tmax', 'cur');
      expect(body).to.include({ at: 1, test: 1 });
      expect(body.source.ext.schain.nodes, '2.5 has it in ext').to.have.length(2);
      expect(body).to.not.have.nested.property('source.schain');
      expect((await get()).body.id, 'another each time').to.not.equal(body.id);
      const { request } = (await exchange.call('POST', path, { dsp_id: dspId })).body;
      expect(
        running.received.map((one) => one.body.id),
        'nothing but what was sent',
      ).to.deep.equal([request.id]);
    });
    shows('sandbox.test-bid.scenario.ctv-uae-drama', async () => {
      for (const query of ['', '?scenario=ctv-uae-drama']) {
        const { body } = await get(query);
        expect(body.device.geo.country).to.equal('ARE');
        expect(body.device.devicetype).to.equal(3);
        expect(body.app.content.genre).to.equal('drama');
        expect(body.imp[0].video).to.be.an('object');
      }
    });
    shows('sandbox.test-bid.scenario.mobile-uk-sport', async () => {
      const { body } = await get('?scenario=mobile-uk-sport');
      expect(body.device.geo.country).to.equal('GBR');
      expect(body.app.content.genre).to.equal('sport');
      expect(body.regs.ext.gdpr).to.equal(1);
      expect(body.user.ext.consent).to.be.a('string');
    });
    shows('sandbox.test-bid.scenario.web-us-news', async () => {
      const { body } = await get('?scenario=web-us-news');
      expect(body.device.geo.country).to.equal('USA');
      expect(body.site.content.genre).to.equal('news');
    });
    shows('sandbox.test-bid.scenario.ctv-timeout', async () => {
      const { body } = await get('?scenario=ctv-timeout');
      expect(body.imp[0].video).to.be.an('object');
      expect(body.tmax).to.be.lessThan(50);
      const slow = await tried(silent(), {}, 'ctv-timeout');
      expect(slow.outcome).to.equal('timeout');
      expect(slow.request.tmax).to.be.lessThan(body.tmax);
      expect(slow.response_time_ms).to.be.at.least(slow.request.tmax - 1);
    });
    shows('sandbox.test-bid.scenario.unknown', async () => {
      expect(errorOf(await get('?scenario=radio'))).to.equal('400 INVALID_PARAMS scenario');
      const dsp_id = ABSENT_ID;
      const posted = await exchange.call('POST', path, { dsp_id, scenario: 'radio' });
      expect(errorOf(posted)).to.equal('400 VALIDATION_ERROR scenario');
    });
    it('are taken by the exchange as they are', async () => {
      for (const scenario of SCENARIOS.slice(0, 3)) {
        const { body } = await get(`?scenario=${scenario}`);
        expect((await callJson('POST', `${exchange.running.edgeUrl}/rtb`, body)).status, scenario).to.equal(200);
      }
    });
    it('are sent as they are shown, but for what is new each time, the dialect and the time limit', async () => {
      /** Without what differs from one request to the next. */
      // biome-ignore lint/suspicious/noExplicitAny: whatever was shown or sent
      const lasting = ({ id, tmax: _, ...request }: any) => {
        const { user, device, source } = structuredClone(request);
        for (const [object, field] of [
          [user, 'id'],
          [device, 'ifa'],
          [source, 'tid'],
        ] as const) {
          if (object[field] !== undefined) object[field] = 'new each time';
        }
        for (const node of (source.schain ?? source.ext.schain).nodes) if (node.rid === id) node.rid = 'the request';
        return { ...request, user, device, source };
      };
      for (const scenario of SCENARIOS.slice(0, 3)) {
        const shown = (await get(`?scenario=${scenario}`)).body;
        const older = await tried(noBid(), { openrtb_version: '2.5', timeout_ms: 80 }, scenario);
        expect(lasting(older.running.received[0]!.body), scenario).to.deep.equal(lasting(shown));
        expect(older.running.received[0]!.body.tmax).to.equal(80);
        const { running, request } = await tried(noBid(), {}, scenario);
        expect(running.received[0]!.body).to.deep.equal(request);
        expect(request.source.schain, 'in the dialect of the demand source').to.deep.equal({
          ...shown.source.ext.schain,
          nodes: [shown.source.ext.schain.nodes[0], { ...shown.source.ext.schain.nodes[1], rid: request.id }],
        });
        expect([request.bcat, request.imp[0].bidfloor]).to.deep.equal([shown.bcat, shown.imp[0].bidfloor]);
      }
    });
  });

  describe('written for a caller with inventory of the type', () => {
    /** Their sandbox publisher, the only one of its partner, in a pool without a buyer. */
    const unsold = async (headers: Record<string, string>) => {
      const pool = await exchange.create('/api/supply/pools', {}, headers);
      const fields = { domain: `tv-${randomUUID()}.example`, type: 'ctv', sandbox: true };
      const source = await exchange.create('/api/supply/sources', fields, headers);
      const assigned = await exchange.call(
        'PUT',
        `/api/supply/pools/${pool.id}/assign`,
        { publisher_id: source.id },
        headers,
      );
      expect(assigned.status, JSON.stringify(assigned.body)).to.equal(200);
      return source;
    };

    it('is sold where their own inventory is in a pool without a buyer', async () => {
      const partner = await exchange.create('/api/partners', {});
      const headers = { 'X-User-Partner-ID': partner.id as string };
      const source = await unsold(headers);
      const { body } = await exchange.get(path, headers);
      expect(body.app.id).not.to.equal(source.id);
      const sold = await callJson('POST', `${exchange.running.edgeUrl}/rtb`, body);
      expect([sold.status, sold.body.seatbid?.length]).to.deep.equal([200, 1]);
    });

    it('is of their own inventory where the synthetic demand buys it', async () => {
      const partner = await exchange.create('/api/partners', {});
      const headers = { 'X-User-Partner-ID': partner.id as string };
      const source = await unsold(headers);
      const bought = '00000000-0000-4000-8000-00000000000b';
      const moved = await exchange.call('PUT', `/api/supply/pools/${bought}/assign`, { publisher_id: source.id });
      expect(moved.status, JSON.stringify(moved.body)).to.equal(200);
      const { body } = await exchange.get(path, headers);
      expect(body.app.id).to.equal(source.id);
      const post = () => callJson('POST', `${exchange.running.edgeUrl}/rtb`, body);
      await eventually('the edge to know the pool', async () => (await post()).status === 200);
    });
  });

  describe('sent', () => {
    shows(['sandbox.test-bid.post', 'sandbox.test-bid.request'], async () => {
      const { running, request } = await tried(bids({ price: 3, ...banner }));
      expect(running.received).to.have.length(1);
      const [{ method, headers, body }] = running.received as [(typeof running.received)[0]];
      expect(method).to.equal('POST');
      expect(headers['x-openrtb-version']).to.equal('2.6');
      expect(body, 'word for word').to.deep.equal(request);
      expect(body.source.schain.nodes.at(-1), 'with our link of the chain').to.deep.include({
        sid: (body.site ?? body.app).id,
        rid: body.id,
      });
      expect(body.user.consent, 'in the dialect of the demand source').to.be.a('string');
      expect(body.tmax).to.equal(150);
      const older = await tried(noBid(), { openrtb_version: '2.5', timeout_ms: 80 });
      expect(older.request.user.ext.consent).to.be.a('string');
      expect(older.request.tmax).to.equal(80);
    });
    shows('sandbox.test-bid.response_status', async () => {
      expect((await tried(noBid())).response_status).to.equal(204);
      expect((await tried(status(503))).response_status).to.equal(503);
      expect((await tried(silent())).response_status).to.equal(null);
    });
    shows('sandbox.test-bid.response_body', async () => {
      const { response_body } = await tried(bids({ price: 3, ...banner }));
      expect(response_body.seatbid[0].bid[0].price).to.equal(3);
      expect((await tried(noBid())).response_body).to.equal(null);
      expect((await tried(malformedJson('<html>')).catch(String)).response_body).to.equal('<html>');
      expect((await tried(status(500, {}, '{"no": "luck"}'))).response_body).to.deep.equal({ no: 'luck' });
      const long = await tried(malformedJson('x'.repeat(100_000)));
      expect(long.response_body).to.have.length(8_192);
      const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
      expect((await tried(malformedJson(deep))).response_body, 'what could not be written back').to.be.a('string');
    });
    shows('sandbox.test-bid.response_time_ms', async () => {
      const slowly: Script = (received, response) =>
        setTimeout(() => bids({ price: 3, ...banner })(received, response), 60);
      const { response_time_ms } = await eventually('an answer in time', async () => {
        const one = await tried(slowly);
        return one.outcome === 'win' ? one : null;
      });
      expect(response_time_ms).to.be.within(59, 150);
    });
    shows('sandbox.test-bid.clearing_price', async () => {
      expect((await tried(bids({ price: 2.345678, ...banner }))).clearing_price, 'first price').to.equal(2.345678);
      expect((await tried(bids({ price: 0.1, ...banner }))).clearing_price).to.equal(null);
    });
    shows('sandbox.test-bid.floor', async () => {
      const { floor, request } = await tried(noBid());
      expect(floor).to.equal(1);
      expect(request.imp[0].bidfloor).to.equal(floor);
    });
  });

  describe('judged', () => {
    shows(['sandbox.test-bid.outcome.win', 'state.test-bid.outcomes'], async () => {
      for (const [scenario, fields] of [
        ['ctv-uae-drama', { adm: VAST, w: 1920, h: 1080 }],
        ['mobile-uk-sport', banner],
        ['web-us-news', { w: 300, h: 600 }],
      ] as const) {
        const result = await tried(bids({ price: 9, ...fields }), {}, scenario);
        expect(result).to.include({ outcome: 'win', clearing_price: 9, response_status: 200, reason: null });
      }
      expect((await tried(bids({ price: 1, ...banner }))).outcome, 'at the floor').to.equal('win');
    });
    shows(['sandbox.test-bid.outcome.no-bid', 'state.test-bid.outcomes'], async () => {
      for (const script of [noBid(), status(200, {}, '{}'), status(200)]) {
        expect(await tried(script)).to.include({ outcome: 'no-bid', clearing_price: null });
      }
    });
    shows(['sandbox.test-bid.outcome.below-floor', 'state.test-bid.outcomes'], async () => {
      const result = await tried(bids({ price: 0.999999, ...banner }));
      expect(result).to.include({ outcome: 'below-floor', clearing_price: null, reason: 'below-floor' });
      expect(result.response_body.seatbid[0].bid[0].price).to.equal(0.999999);
    });
    shows(['sandbox.test-bid.outcome.timeout', 'state.test-bid.outcomes'], async () => {
      const result = await tried(silent(), { timeout_ms: 70 });
      expect(result).to.include({ outcome: 'timeout', response_status: null, response_body: null });
      expect(result.response_time_ms).to.be.at.least(69);
      await result.running.waitForClosedSockets(1);
    });
    shows(['sandbox.test-bid.outcome.error', 'state.test-bid.outcomes'], async () => {
      for (const [script, reason] of [
        [status(500), /^http-error: status 500$/],
        [status(302, { location: '/bid' }), /^http-error/],
        [malformedJson(), /^malformed-response/],
        [halfResponse(), /^unreachable/],
        [status(200, {}, '{"id": "another", "seatbid": [{"bid": []}]}'), /^wrong-request-id/],
        [bids({ price: 3, ...banner, impid: 'none' }), /^unknown-imp$/],
        [bids({ price: 3, w: 728, h: 90 }), /^size-not-allowed$/],
        [
          bids({ price: 3, ...banner, adm: '<img src="http://x.example/a.png">' }),
          /^insecure-creative: http:\/\/x\.example\/a\.png$/,
        ],
        [bids({ price: 3, ...banner, adomain: ['blocked-advertiser.example'] }), /^blocked-advertiser$/],
        [bids({ ...banner, price: 'free' as unknown as number }), /^malformed-bid: .*price/],
      ] as const) {
        const result = await tried(script);
        expect(result, JSON.stringify(result.response_body)).to.include({ outcome: 'error', clearing_price: null });
        expect(result.reason).to.match(reason);
      }
      const video = await tried(bids({ price: 9, adm: 'no VAST' }), {}, 'ctv-uae-drama');
      expect(video.outcome).to.equal('error');
      expect(video.reason).to.match(/^creative-rejected: .*text data/);
      const nowhere = await demand({ endpoint_url: `http://127.0.0.1:${await freePort()}/` });
      const { body } = await exchange.call('POST', path, { dsp_id: nowhere });
      expect(body).to.include({ outcome: 'error', response_status: null, response_body: null, response_time_ms: 0 });
      expect(body.reason).to.match(/^unreachable: .*ECONNREFUSED/);
    });

    shows('sandbox.test-bid.unknown-dsp', async () => {
      const { dspId: live } = await bidder(noBid(), { sandbox: false });
      for (const dsp_id of [ABSENT_ID, 'nobody', live]) {
        expect(errorOf(await exchange.call('POST', path, { dsp_id }))).to.equal('404 NOT_FOUND');
      }
      const delegate = await demand({ mode: 'delegate' });
      expect(errorOf(await exchange.call('POST', path, { dsp_id: delegate }))).to.equal('400 VALIDATION_ERROR dsp_id');
      const { dspId: gone } = await bidder(noBid());
      await exchange.call('DELETE', `/api/demand/sources/${gone}`, undefined, { 'X-Sandbox': 'true' });
      expect(errorOf(await exchange.call('POST', path, { dsp_id: gone }))).to.equal('409 CONFLICT');
      expect(errorOf(await exchange.call('POST', path, {}))).to.equal('400 INVALID_PARAMS dsp_id');
    });

    it('leave the circuit breaker and the notices alone', async () => {
      const market = await exchange.market({ bidders: [{ script: silent(), dsp: { sandbox: true, timeout_ms: 20 } }] });
      const [{ dspId, origin }] = market.bidders as [(typeof market.bidders)[0]];
      const inSandbox = { 'X-Sandbox': 'true' };
      for (let times = 0; times < 25; times++) await exchange.call('POST', path, { dsp_id: dspId });
      market.bidders[0]!.script = bids({
        price: 3,
        lurl: `${origin}/lost`,
        nurl: `${origin}/won`,
        burl: `${origin}/billed`,
      });
      expect((await market.ask({}, inSandbox)).status, 'the breaker is closed').to.equal(200);
      const before = market.bidders[0]!.received.length;
      const won = await exchange.call('POST', path, { dsp_id: dspId, scenario: 'web-us-news' });
      expect(won.body.outcome).to.equal('win');
      market.bidders[0]!.script = bids({ price: 0.2, lurl: `${origin}/lost` });
      const lost = await exchange.call('POST', path, { dsp_id: dspId, scenario: 'web-us-news' });
      expect(lost.body.outcome).to.equal('below-floor');
      // An auction's notices would be here before this one's.
      market.bidders[0]!.script = bids({ price: 0.2, lurl: `${origin}/last` });
      await market.ask({ imp: [{ id: '1', banner: { w: 300, h: 250 }, bidfloor: 1 }] }, inSandbox);
      await market.bidders[0]!.waitForRequests('/last');
      const notices = market.bidders[0]!.received.slice(before).filter(({ path }) => !path.startsWith('/bid'));
      expect(notices.map(({ path }) => path)).to.deep.equal(['/last']);
    });
  });

  it('are sandbox for a live key, and for a sandbox key', async () => {
    const { dspId } = await bidder(bids({ price: 3, ...banner }));
    for (const key of [exchange.running.liveKey, exchange.running.sandboxKey]) {
      const headers = { 'X-API-Key': key };
      const { body } = await exchange.call('POST', path, { dsp_id: dspId, scenario: 'mobile-uk-sport' }, headers);
      expect(body.outcome).to.equal('win');
    }
    expect(errorOf(await exchange.get(path, { 'X-API-Key': `pk_live_${randomUUID()}` }))).to.equal('401 UNAUTHORIZED');
  });
});
