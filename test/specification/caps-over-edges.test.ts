import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { pino } from 'pino';
import { median } from '#bench/statistics';
import { type Exchange, startExchange } from '../../composition/start-exchange.ts';
import { readSettings } from '../../settings.ts';
import { noBid, type Script } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { callJson } from '../support/exchange.ts';
import { freePort } from '../support/free-port.ts';
import { redisUrl } from '../support/real-servers.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { ExchangeUnderTest } from './against-exchange.ts';
import { campaignOf, type DelegateMarket, delegateMarket, type Sold } from './delegate-market.ts';
import { shows } from './shows.ts';

/** A bidder that others wait for, and that does not bid. */
const afterAWhile: Script = (received, response) => void setTimeout(noBid(), 60, received, response);

/**
 * What the rows `strategy.frequency_cap` and `strategy.pacing.*` promise, with two edges that sell and bill, and a
 * Redis that goes.
 */
describe('frequency caps and budgets over two edges of a region', () => {
  const exchange = new ExchangeUnderTest();
  let proxy: TcpProxy;
  let second: Exchange;
  let edges: [string, string];

  before(async function () {
    const server = new URL(redisUrl(this));
    proxy = await openTcpProxy(server.hostname, Number(server.port || 6379));
    await exchange.start(this, 'redis-mongodb', {
      REDIS_URL: `redis://127.0.0.1:${proxy.port}`,
      MAX_REQUESTS_PER_SECOND_PER_DEVICE: '1000',
    });
    const { environment, edgeUrl } = exchange.running;
    const edgePort = await freePort();
    const settings = readSettings({
      ...environment,
      ROLES: 'edge',
      EDGE_PORT: String(edgePort),
      OPS_PORT: String(await freePort()),
      PUBLIC_EDGE_URL: `http://127.0.0.1:${edgePort}`,
      DATA_DIR: `${environment.DATA_DIR}/second`,
    });
    second = await startExchange(settings, pino({ level: 'silent' }));
    edges = [edgeUrl, `http://127.0.0.1:${edgePort}`];
  });
  after(async () => {
    await second?.stop();
    await exchange.stop();
    await proxy?.close();
  });

  const soldAt = async (edge: string, market: DelegateMarket, fields: object = {}): Promise<Sold[]> => {
    const { status, body } = await callJson('POST', `${edge}/rtb`, market.market.request({ ...fields }));
    if (status === 204) return [];
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.seatbid.flatMap(({ bid }: { bid: Sold[] }) => bid);
  };
  const onDevice = () => ({ device: { ifa: randomUUID() } });
  const knownAtBoth = async (market: DelegateMarket, cid: string, fields: () => object = () => ({})) => {
    for (const edge of edges) {
      await eventually(`${cid} at ${edge}`, async () => (await soldAt(edge, market, fields()))[0]?.cid === cid);
    }
  };
  /** Bills a sale at the edge that has not sold it. */
  const billAt = async (edge: string, { burl }: Sold) => {
    const { pathname, search } = new URL(burl);
    expect((await fetch(`${edge}${pathname}${search}`)).status).to.equal(200);
  };

  shows('strategy.frequency_cap.edges', async () => {
    const market = await delegateMarket(exchange);
    await market.upload(await market.delegate(), [campaignOf('capped', { frequency_cap: { max_impressions: 2 } })]);
    await knownAtBoth(market, 'capped', onDevice);
    let full = 0;
    for (let round = 0; round < 8; round++) {
      const device = onDevice();
      const requests = Array.from({ length: 24 }, (_, n) => soldAt(edges[n % 2]!, market, device));
      const sold = (await Promise.all(requests)).flat();
      // A place that came too late, as it may on a busy machine, is not sold.
      expect(sold.length).to.be.at.most(2);
      for (const sale of sold) for (const edge of edges) await billAt(edge, sale);
      if (sold.length < 2) continue;
      full += 1;
      for (const edge of edges) expect(await soldAt(edge, market, device)).to.deep.equal([]);
    }
    expect(full, 'rounds in which both were sold').to.be.above(0);
  });

  shows('demand.daily_budget.edges', async () => {
    const market = await delegateMarket(exchange);
    const dspId = await market.delegate({ daily_budget_cents: 40 });
    await market.upload(dspId, [campaignOf('bounded', { bidding: { base_cpm: 10 } })]);
    let billed = 0;
    const sellOne = async () => {
      const [one, other] = [await soldAt(edges[0], market), await soldAt(edges[1], market)];
      for (const sale of one) await billAt(edges[1], sale);
      for (const sale of other) await billAt(edges[0], sale);
      billed += one.length + other.length;
      return one.length + other.length;
    };
    await eventually('nearly all to be sold', async () => {
      await sellOne();
      return billed >= 39;
    });
    for (let request = 0; request < 20; request++) await sellOne();
    expect(billed).to.be.within(39, 40);
  });

  it('holds a budget against as many auctions at once as there may be, all of them waiting for a bidder', async () => {
    const market = await delegateMarket(exchange, { bidders: [{ script: afterAWhile }] });
    const dspId = await market.delegate({ daily_budget_cents: 40 });
    await market.upload(dspId, [campaignOf('bounded', { bidding: { base_cpm: 10 } })]);
    const first = await market.wins('bounded');
    const sold = (await Promise.all(Array.from({ length: 200 }, () => soldAt(edges[0], market)))).flat();
    for (const sale of sold) await billAt(edges[1], sale);
    await billAt(edges[1], first);
    expect(sold.length + 1).to.be.at.most(40);
    // What was kept back while leases were under way is not lost to the budget.
    let more = 0;
    await eventually('the rest to be sold', async () => {
      for (const edge of edges) {
        for (const sale of await soldAt(edge, market)) {
          await billAt(edge, sale);
          more += 1;
        }
      }
      return sold.length + 1 + more >= 39;
    });
    expect(sold.length + 1 + more).to.be.within(39, 40);
  });

  it('goes on without Redis: campaigns without a cap bid, those with one do not, and no request waits', async () => {
    const market = await delegateMarket(exchange);
    await market.upload(await market.delegate(), [
      campaignOf('capped', { priority: 1, frequency_cap: { max_impressions: 100 } }),
      campaignOf('uncapped'),
    ]);
    const device = onDevice();
    await knownAtBoth(market, 'capped', () => device);
    const winner = async () => (await soldAt(edges[0], market, device))[0]?.cid;
    proxy.cut();
    try {
      await eventually('the edge to notice', async () => (await winner()) === 'uncapped');
      const tookMs: number[] = [];
      for (let request = 0; request < 21; request++) {
        const began = performance.now();
        expect(await winner()).to.equal('uncapped');
        tookMs.push(performance.now() - began);
      }
      expect(median(tookMs), 'ms of the median').to.be.below(60);
    } finally {
      proxy.restore();
    }
    await eventually('the capped campaign again', async () => (await winner()) === 'capped', { timeoutMs: 60_000 });
  });
});
