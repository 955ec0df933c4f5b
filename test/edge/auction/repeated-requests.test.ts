import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { DEFAULT_BIDDER_SETTINGS } from '#gateways/bidders/settings';
import { bids } from '../../support/bidder.ts';
import { BROWSER_USER_AGENT } from '../../support/browser.ts';
import { bannerRequest, EdgeUnderTest, jsonOf } from '../../support/edge.ts';
import { eventually } from '../../support/eventually.ts';
import { RawCaller } from '../../support/raw-caller.ts';

/** Bidders of these tests answer when they are told to. */
const LONG = { bidders: { ...DEFAULT_BIDDER_SETTINGS, maxTimeoutMs: 10_000, allowPrivateNetworks: true } };
const KEY = 'pk_live_of_account_1';

describe('a bid request that comes again', () => {
  let exchange: EdgeUnderTest;
  let asked: (() => void)[];

  /** With a bidder that answers when it is told to. */
  async function held(settings: ConstructorParameters<typeof EdgeUnderTest>[0] = {}): Promise<void> {
    exchange = await new EdgeUnderTest({ maxAuctionMs: 60_000, ...LONG, ...settings }).start();
    exchange.apiKey(KEY);
    asked = [];
    await exchange.bidder((received, response) => asked.push(() => bids({ price: 1 })(received, response)), {
      timeoutMs: 20_000,
    });
  }
  const underWay = (auctions: number) => eventually('bidders are asked', () => asked.length === auctions);
  const release = () => {
    for (const answer of asked.splice(0)) answer();
  };

  afterEach(() => exchange.close());

  it('with other imps under the same id is auctioned, as adapters send one request for each imp', async () => {
    await held();
    const imp = (id: string) => bannerRequest({ id: 'shared', imp: [{ id, banner: { w: 300, h: 250 } }] });
    const answers = ['1', '2', '3'].map((id) => exchange.post(imp(id)));
    await underWay(3);
    release();
    const bodies = await Promise.all(answers.map(async (answer) => jsonOf(await answer)));
    expect(bodies.map(({ seatbid }) => seatbid[0].bid[0].impid)).to.deep.equal(['1', '2', '3']);
    expect((await exchange.post(imp('2'))).status, 'a replay').to.equal(403);
  });

  it('while it is under way joins it: one sale, the same bids for both, and a replay later', async () => {
    await held();
    const request = bannerRequest();
    const first = exchange.post(request);
    await underWay(1);
    const second = exchange.post(request);
    const third = exchange.post(gzipSync(JSON.stringify(request)), { 'content-encoding': 'gzip' });
    // Another request, which comes behind them and is asked for.
    const other = exchange.post(bannerRequest());
    await underWay(2);
    release();
    const [one, two, three] = await Promise.all([first, second, third].map(async (answer) => (await answer).text()));
    expect((await other).status).to.equal(200);
    expect(JSON.parse(one!).seatbid).to.have.length(1);
    expect([two, three]).to.deep.equal([one, one]);
    expect(exchange.sold).to.have.length(2);
    expect((await exchange.post(request)).status).to.equal(403);
  });

  it('is a replay when it shows another key than the one under way', async () => {
    await held();
    const request = bannerRequest();
    const first = exchange.post(request, { 'x-api-key': KEY });
    await underWay(1);
    expect((await exchange.post(request)).status).to.equal(403);
    release();
    expect((await first).status).to.equal(200);
  });

  it('is a replay when it is of another viewer than the one under way', async () => {
    await held();
    const request = bannerRequest({ device: { ua: BROWSER_USER_AGENT, ip: '198.51.100.7' } });
    const first = exchange.post(request, { cookie: 'exchange_uid=one' });
    await underWay(1);
    const cookie = { cookie: 'exchange_uid=one' };
    const others = [
      exchange.post(request, { cookie: 'exchange_uid=another' }),
      exchange.post(request),
      exchange.post(request, { ...cookie, 'sec-gpc': '1' }),
      exchange.post({ ...request, device: { ua: BROWSER_USER_AGENT, ip: '198.51.100.8' } }, cookie),
      exchange.post({ ...request, regs: { gdpr: 1 } }, cookie),
      exchange.post({ ...request, user: { buyeruid: 'another' } }, cookie),
    ];
    const statuses = (await Promise.all(others)).map(({ status }) => status);
    expect(statuses).to.deep.equal([403, 403, 403, 403, 403, 403]);
    release();
    expect((await first).status).to.equal(200);
  });

  it('has the answer though the caller that sent it first has hung up', async () => {
    await held();
    const body = JSON.stringify(bannerRequest());
    const gone = await RawCaller.to(exchange.origin);
    gone.write(`POST /rtb HTTP/1.1\r\nHost: a\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    await underWay(1);
    gone.end();
    const second = exchange.post(body);
    const other = exchange.post(bannerRequest());
    await underWay(2);
    release();
    expect((await second).status).to.equal(200);
    await other;
    expect(exchange.sold).to.have.length(2);
  });

  it('fails as the one under way does, and may come again', async () => {
    await held({ maxAuctionMs: 0 });
    const request = bannerRequest();
    const first = exchange.post(request);
    await underWay(1);
    const second = exchange.post(request);
    const other = exchange.post(bannerRequest());
    await underWay(2);
    release();
    const answers = await Promise.all([first, second, other]);
    expect(answers.map(({ status }) => status)).to.deep.equal([503, 503, 503]);
    const again = exchange.post(request);
    await underWay(1);
    release();
    expect((await again).status, 'not 403').to.equal(503);
  });
});
