import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { type ReceivedRequest, type Script, type ScriptedBidder, startBidder } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { type Answer, callJson, type TestExchange } from '../support/exchange.ts';

export interface MarketOptions {
  /** Fields of the supply source and of the pool, beside a name. */
  readonly publisher?: object;
  readonly pool?: object;
  /** One bidder for each. */
  readonly bidders?: readonly BidderOptions[];
}

export interface BidderOptions {
  readonly script: Script;
  /** Fields of the demand source, beside name, mode and endpoint. */
  readonly dsp?: { readonly sandbox?: boolean; readonly [field: string]: unknown };
}

export interface MarketBidder extends ScriptedBidder {
  readonly dspId: string;
  /** What it was asked in the auction of that request id. */
  asked(requestId: string): ReceivedRequest | undefined;
}

export interface AdRequest {
  readonly id: string;
  readonly imp: readonly object[];
  readonly [field: string]: unknown;
}

export const BANNER = { id: '1', banner: { w: 300, h: 250 } };
export const VIDEO = {
  id: '1',
  video: { mimes: ['video/mp4'], protocols: [2, 3, 7], w: 640, h: 480, minduration: 5, maxduration: 30 },
};
export const VAST =
  '<VAST version="3.0"><Ad id="1"><InLine><AdSystem>a</AdSystem><AdTitle>t</AdTitle><Impression>https://dsp.test/seen</Impression><Creatives/></InLine></Ad></VAST>';

/** The exchange that a market is opened on. */
interface MarketExchange {
  readonly running: Pick<TestExchange, 'edgeUrl'>;
  readonly call: TestExchange['call'];
  /** Makes a resource; its name is unlike any other when none is given. */
  create(path: string, fields: object): Promise<Answer['body']>;
}

/** Far more than an edge takes; the machine may be busy. */
const OPENING = { timeoutMs: 60_000 };

/** A publisher in a pool with bidders, and the ad requests that are made of it. */
export class Market {
  readonly #exchange: MarketExchange;
  publisherId = '';
  poolId = '';
  readonly bidders: MarketBidder[] = [];
  /** Every answer to `ask`, with the imps that were asked for. */
  readonly answers: { readonly imps: number; readonly answer: Answer }[] = [];

  constructor(exchange: MarketExchange) {
    this.#exchange = exchange;
  }

  async open({ publisher = {}, pool = {}, bidders = [] }: MarketOptions): Promise<void> {
    this.poolId = (await this.#exchange.create('/api/supply/pools', pool)).id;
    const source = { domain: 'site.example', type: 'web', pool_id: this.poolId, ...publisher };
    this.publisherId = (await this.#exchange.create('/api/supply/sources', source)).id;
    for (const terms of bidders) await this.#admit(terms);
    const contexts = new Set(bidders.map(({ dsp }) => dsp?.sandbox ?? false));
    await eventually(
      'the edge to auction with every bidder',
      async () => {
        for (const sandbox of contexts) await this.ask({}, sandbox ? { 'X-Sandbox': 'true' } : {});
        const known = bidders.length > 0 || (await this.ask()).status === 204;
        return known && this.bidders.every(({ received }) => received.length > 0);
      },
      OPENING,
    );
  }

  async #admit({ script, dsp = {} }: BidderOptions): Promise<void> {
    const bidder = await startBidder(script);
    const source = { mode: 'rtb', endpoint_url: bidder.url, ...dsp };
    const { id } = await this.#exchange.create('/api/demand/sources', source);
    const asked = (requestId: string) => bidder.received.find(({ body }) => body?.id === requestId);
    // The bidder itself, so that its script can still be changed.
    this.bidders.push(Object.assign(bidder, { dspId: id as string, asked }));
    const subscribed = await this.#exchange.call('POST', `/api/demand/sources/${id}/pools/${this.poolId}`);
    expect(subscribed.status).to.equal(200);
  }

  /** A request for one 300×250 banner, unless `fields` say otherwise. */
  request(fields: Readonly<Record<string, unknown>> = {}): AdRequest {
    return { id: randomUUID(), imp: [BANNER], site: { id: this.publisherId }, ...fields };
  }

  /** Makes an ad request by `POST /rtb`. */
  async ask(fields: Readonly<Record<string, unknown>> = {}, headers: Record<string, string> = {}): Promise<Answer> {
    const request = this.request(fields);
    const answer = await callJson('POST', `${this.#exchange.running.edgeUrl}/rtb`, request, headers);
    this.answers.push({ imps: request.imp.length, answer });
    return answer;
  }

  /** The one bid of the answer to an ad request. */
  async bid(
    fields: Readonly<Record<string, unknown>> = {},
    headers: Record<string, string> = {},
  ): Promise<Answer['body']> {
    const answer = await this.ask(fields, headers);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    expect(answer.body.seatbid).to.have.length(1);
    expect(answer.body.seatbid[0].bid).to.have.length(1);
    return answer.body.seatbid[0].bid[0];
  }

  async close(): Promise<void> {
    for (const bidder of this.bidders) await bidder.close();
  }
}
