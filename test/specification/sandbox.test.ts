import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bids } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { callJson } from '../support/exchange.ts';
import { againstExchange, errorOf } from './against-exchange.ts';
import { BANNER } from './market.ts';
import { shows } from './shows.ts';

const path = '/api/supply/sources';
const valid = () => ({ name: `Source ${randomUUID()}`, domain: 'site.example', type: 'web' });
/** Where the documentation has a new user send the first ad request. */
const FIRST_PUBLISHER = '00000000-0000-4000-8000-00000000000a';

againstExchange('sandbox', (exchange) => {
  const inSandbox = { 'X-Sandbox': 'true' };
  const sandboxKey = () => ({ 'X-API-Key': exchange.running.sandboxKey });
  const idsOf = (answer: { body: { publishers: { id: string }[] } }) => answer.body.publishers.map(({ id }) => id);

  describe('context', () => {
    let live: string;
    let rehearsal: string;
    before(async () => {
      live = (await exchange.create(path, valid())).id;
      rehearsal = (await exchange.create(path, { ...valid(), sandbox: true })).id;
    });
    const switched = async (query: string, headers?: Record<string, string>) => {
      const ids = idsOf(await exchange.get(`${path}${query}`, headers));
      expect(ids).to.include(rehearsal).and.not.include(live);
      const created = await exchange.call('POST', `${path}${query}`, valid(), headers);
      expect(created.body).to.include({ sandbox: true, status: 'sandbox' });
    };
    shows('sandbox.header', () => switched('', inSandbox));
    shows('sandbox.query', () => switched('?sandbox=true'));
    shows('sandbox.key', () => switched('', sandboxKey()));
    shows('sandbox.misspelled', async () => {
      const { edgeUrl } = exchange.running;
      const request = { id: '1', imp: [BANNER], site: { id: live } };
      for (const value of ['TRUE', '1', 'yes']) {
        const answers = [
          await exchange.get(path, { 'X-Sandbox': value }),
          await callJson('POST', `${edgeUrl}/rtb`, request, { 'X-Sandbox': value }),
          await exchange.get(`${path}?sandbox=${value}`),
          await callJson('POST', `${edgeUrl}/rtb?sandbox=${value}`, request),
          await callJson('GET', `${edgeUrl}/vast?site_id=${live}&sandbox=${value}`),
        ];
        for (const answer of answers) expect(errorOf(answer)).to.match(/^400 INVALID_PARAMS (X-Sandbox|sandbox)$/);
      }
    });
    shows('sandbox.live-hidden', async () => {
      for (const headers of [inSandbox, sandboxKey()]) {
        expect(errorOf(await exchange.get(`${path}/${live}`, headers))).to.equal('404 NOT_FOUND');
        expect(errorOf(await exchange.call('DELETE', `${path}/${live}`, undefined, headers))).to.equal('404 NOT_FOUND');
      }
      expect((await exchange.get(`${path}/${live}`)).body.status).to.equal('active');
    });
    shows('sandbox.key-no-live', async () => {
      const key = sandboxKey();
      const refusals = [
        await exchange.call('POST', path, { ...valid(), sandbox: false }, key),
        await exchange.call('PUT', `${path}/${rehearsal}`, { sandbox: false }, key),
      ];
      for (const answer of refusals) expect(errorOf(answer)).to.equal('403 FORBIDDEN');
      const update = await exchange.call('PUT', `${path}/${live}`, { floor_price_cpm: 9 }, key);
      expect(errorOf(update)).to.equal('404 NOT_FOUND');
      expect((await exchange.get(`${path}/${live}`)).body.floor_price_cpm).to.equal(0);
    });
  });

  shows('sandbox.auction', async () => {
    const market = await exchange.market({
      bidders: [{ script: bids({ price: 1 }) }, { script: bids({ price: 2 }), dsp: { sandbox: true } }],
    });
    const [live, rehearsal] = market.bidders.map(({ dspId }) => dspId);
    const buyer = async (headers: Record<string, string>) =>
      new URL((await market.bid({}, headers)).burl).searchParams.get('dsp');
    expect(await buyer({})).to.equal(live);
    expect(await buyer({ 'X-API-Key': exchange.running.liveKey })).to.equal(live);
    expect(await buyer(inSandbox)).to.equal(rehearsal);
    expect(await buyer(sandboxKey())).to.equal(rehearsal);
    const byQuery = await callJson('POST', `${exchange.running.edgeUrl}/rtb?sandbox=true`, market.request());
    expect(new URL(byQuery.body.seatbid[0].bid[0].burl).searchParams.get('dsp')).to.equal(rehearsal);
  });

  describe('the first sandbox', () => {
    const ask = () =>
      callJson('POST', `${exchange.running.edgeUrl}/rtb`, {
        id: randomUUID(),
        imp: [BANNER],
        site: { id: FIRST_PUBLISHER },
      });
    const idOf = async (name: string): Promise<string> => {
      const { body } = await exchange.get('/api/demand/sources', inSandbox);
      return body.dsps.find((dsp: { name: string }) => dsp.name === name).id;
    };
    const bought = async (name: string) =>
      (await exchange.get(`/api/demand/sources/${await idOf(name)}/stats`, inSandbox)).body;
    let first: { status: number; body: { seatbid: { bid: { burl: string }[] }[] } };
    before(async () => {
      first = await ask();
      await fetch(first.body.seatbid[0]!.bid[0]!.burl);
    });

    shows('sandbox.first-fill', () => expect(first.status).to.equal(200));
    for (const [id, name] of [
      ['sandbox.synthetic.high', 'HighBidder'],
      ['sandbox.synthetic.low', 'LowBidder'],
    ] as const) {
      shows(id, () => eventually(`bids of ${name}`, async () => (await bought(name)).bids > 0, { timeoutMs: 60_000 }));
    }
    it('fills a break', async () => {
      const query = `site_id=${FIRST_PUBLISHER}&poddur=60&maxseq=4`;
      const { status, body } = await callJson('GET', `${exchange.running.edgeUrl}/vast?${query}`);
      expect(status).to.equal(200);
      const places = [...String(body).matchAll(/<Ad id="[^"]*" sequence="(\d)"/g)].map(([, place]) => Number(place));
      expect(places).to.deep.equal([1, 2, 3, 4]);
    });
    it('shows each outcome of a test bid', async () => {
      for (const [name, outcome] of [
        ['HighBidder', 'win'],
        ['LowBidder', 'below-floor'],
        ['TimeoutDSP', 'timeout'],
      ] as const) {
        const { body } = await exchange.call('POST', '/api/sandbox/test-bid', { dsp_id: await idOf(name) });
        expect(body.outcome, name).to.equal(outcome);
      }
    });
    shows('sandbox.synthetic.random', async () => {
      const prices = new Set<number>();
      const body = { dsp_id: await idOf('RandomBidder'), scenario: 'web-us-news' };
      await eventually('several prices of RandomBidder, and none now and then', async () => {
        const { response_body } = (await exchange.call('POST', '/api/sandbox/test-bid', body)).body;
        prices.add(response_body?.seatbid[0].bid[0].price ?? 0);
        return prices.size > 3 && prices.has(0);
      });
    });
    shows('sandbox.synthetic.timeout', async () => {
      const dsp_id = await idOf('TimeoutDSP');
      expect((await exchange.call('POST', '/api/sandbox/test-bid', { dsp_id })).body.outcome).to.equal('timeout');
      expect((await ask()).status, 'and costs the others nothing').to.equal(200);
      await eventually('its timeouts to be seen', async () => (await bought('TimeoutDSP')).timeout_rate === 1, {
        timeoutMs: 60_000,
      });
    });
    shows('sandbox.health.200', async () => {
      const health = async () => (await exchange.get('/api/sandbox/health')).body;
      const names = ['HighBidder', 'LowBidder', 'RandomBidder', 'TimeoutDSP'];
      const before = await health();
      expect(before).to.include({ status: 'ok', sandbox_redis: 'embedded' });
      expect(before.synthetic_dsps).to.deep.equal(names);
      const { total } = (await exchange.get(`${path}?status=sandbox`)).body;
      expect(before.test_publishers_available).to.equal(total);

      const { pool_id: pool } = (await exchange.get(`${path}/${FIRST_PUBLISHER}`, inSandbox)).body;
      const subscription = `/api/demand/sources/${await idOf('LowBidder')}/pools/${pool}`;
      await exchange.call('DELETE', subscription, undefined, inSandbox);
      await exchange.create(path, { ...valid(), sandbox: true });
      const after = await health();
      await exchange.call('POST', subscription, undefined, inSandbox);
      expect(after.synthetic_dsps).to.deep.equal(names.filter((name) => name !== 'LowBidder'));
      expect(after.test_publishers_available).to.equal(total + 1);
    });
    shows('limit.sandbox-metrics', () =>
      eventually(
        'the sandbox impression to be seen',
        async () => {
          const { body } = await exchange.get(`${path}/${FIRST_PUBLISHER}/stats`, inSandbox);
          return body.impressions === 1 && body.bid_requests >= 1;
        },
        { timeoutMs: 65_000 },
      ),
    );
  });
});
