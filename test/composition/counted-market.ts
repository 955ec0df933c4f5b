import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bids, type ScriptedBidder, startBidder } from '../support/bidder.ts';
import { callJson, type TestExchange } from '../support/exchange.ts';

/** A market of one publisher and one bidder on an exchange whose counts have a Redis of their own. */
export class CountedMarket {
  readonly exchange: TestExchange;
  readonly publisherId: string;
  readonly dspId: string;
  readonly #bidder: ScriptedBidder;
  /** The numbers of requests that were answered, and of ads that were rendered. */
  asked = 0;
  sold = 0;
  /** Paths, with queries, of the pixels that were called. */
  readonly pixels: string[] = [];

  constructor(exchange: TestExchange, bidder: ScriptedBidder, publisherId: string, dspId: string) {
    this.exchange = exchange;
    this.#bidder = bidder;
    this.publisherId = publisherId;
    this.dspId = dspId;
  }

  static async open(exchange: TestExchange): Promise<CountedMarket> {
    const bidder = await startBidder(bids({ price: 2 }));
    const pool = (await exchange.call('POST', '/api/supply/pools', { name: 'Pool' })).body;
    const source = { name: 'Site', domain: 'site.example', type: 'web', pool_id: pool.id };
    const publisher = (await exchange.call('POST', '/api/supply/sources', source)).body;
    const terms = { name: 'Bidder', mode: 'rtb', endpoint_url: bidder.url, timeout_ms: 150 };
    const dsp = (await exchange.call('POST', '/api/demand/sources', terms)).body;
    await exchange.call('POST', `/api/demand/sources/${dsp.id}/pools/${pool.id}`);
    return new CountedMarket(exchange, bidder, publisher.id, dsp.id);
  }

  /** One auction at an edge; the ad is rendered. Answers whether there was one. */
  async sell(edgeUrl = this.exchange.edgeUrl): Promise<boolean> {
    const request = {
      id: randomUUID(),
      imp: [{ id: '1', banner: { w: 300, h: 250 } }],
      site: { id: this.publisherId },
    };
    const { status, body } = await callJson('POST', `${edgeUrl}/rtb`, request);
    expect(status).to.be.oneOf([200, 204]);
    this.asked += 1;
    if (status === 204) return false;
    const [bid] = body.seatbid[0].bid;
    const { pathname, search } = new URL(bid.burl);
    expect((await fetch(`${edgeUrl}${pathname}${search}`)).status).to.equal(200);
    this.pixels.push(`${pathname}${search}`);
    this.sold += 1;
    return true;
  }

  async sellTimes(times: number, edgeUrl = this.exchange.edgeUrl): Promise<void> {
    for (let sold = 0; sold < times; ) if (await this.sell(edgeUrl)) sold += 1;
  }

  /** The figures of the publisher's report: counts of auctions come by the log of facts, impressions with the money. */
  async report(): Promise<{ readonly auctions: number; readonly impressions: number }> {
    const { status, body } = await this.exchange.call('GET', `/api/metrics/publisher/${this.publisherId}?period=1h`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return { auctions: body.bid_requests, impressions: body.impressions };
  }

  /** The same market on the exchange that was started on the same data after this one was stopped. */
  on(exchange: TestExchange): CountedMarket {
    const { liveKey } = this.exchange;
    const call: TestExchange['call'] = (method, path, body, headers) =>
      exchange.call(method, path, body, { 'X-API-Key': liveKey, ...headers });
    const market = new CountedMarket({ ...exchange, liveKey, call }, this.#bidder, this.publisherId, this.dspId);
    return Object.assign(market, { asked: this.asked, sold: this.sold });
  }

  async close(): Promise<void> {
    await this.exchange.stop();
    await this.#bidder.close();
  }
}

/** The value of a series without labels. */
export async function metric(exchange: TestExchange, name: string): Promise<number> {
  const text = await (await fetch(`${exchange.opsUrl}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length));
}
