import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Market } from '../specification/market.ts';
import { bids } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { startTestExchange, type TestExchange } from '../support/exchange.ts';

interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
}

const CALLER = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const [, TRACE_ID, CALLER_SPAN] = CALLER.split('-') as [string, string, string];

describe('traces', () => {
  const spans: CollectedSpan[] = [];
  let collector: Server;
  let running: TestExchange;
  let market: Market;
  before(async function () {
    collector = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      for (const { scopeSpans } of JSON.parse(text).resourceSpans) {
        for (const { spans: own } of scopeSpans) spans.push(...own);
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    running = await startTestExchange(this, 'embedded', {
      TRACES_URL: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`,
      TRACES_PER_MILLION: '0',
    });
    const create = async (path: string, fields: object) =>
      (await running.call('POST', path, { name: `Name ${path}`, ...fields })).body;
    market = new Market({ running, call: running.call, create });
    await market.open({ bidders: [{ script: bids({ price: 2 }) }] });
  });
  after(async () => {
    await market?.close();
    await running?.stop();
    collector.close();
  });

  it('follow a request that its caller samples, from the bidder to the ledgers', async () => {
    const request = market.request();
    const bid = await market.bid(request, { traceparent: CALLER });
    expect((await fetch(bid.burl)).status).to.equal(200);
    const named = (name: string) => spans.filter((span) => span.traceId === TRACE_ID && span.name === name);
    await eventually('the ledgers’ spans to be collected', () => named('ledger totals').length > 0, {
      timeoutMs: 60_000,
    });
    const [root] = named('ad request');
    expect(root!.parentSpanId).to.equal(CALLER_SPAN);
    expect(root!.attributes.find(({ key }) => key === 'exchange.auction_id')!.value.stringValue).to.equal(request.id);
    const [call] = named('bid request');
    expect(call!.parentSpanId).to.equal(root!.spanId);
    const { headers } = market.bidders[0]!.asked(request.id)!;
    expect(headers.traceparent).to.equal(`00-${TRACE_ID}-${call!.spanId}-01`);
    for (const step of ['evaluate delegates', 'decide and prepare', 'impression']) {
      expect(
        named(step).map(({ parentSpanId }) => parentSpanId),
        step,
      ).to.deep.equal([root!.spanId]);
    }
    const [folded] = named('tally impression');
    expect(folded!.parentSpanId).to.equal(named('impression')[0]!.spanId);
    for (const { parentSpanId } of named('ledger totals')) expect(parentSpanId).to.equal(folded!.spanId);
  });

  it('begin for no request whose caller does not sample it, nor for any but a share of the others', async () => {
    for (const traceparent of [CALLER.replace(/01$/, '00'), 'nonsense', undefined]) {
      const bid = await market.bid({}, traceparent === undefined ? {} : { traceparent });
      expect(bid.burl).to.not.contain('trace=');
    }
    const asked = market.bidders[0]!.received.at(-1)!;
    expect(asked.headers.traceparent).to.equal(undefined);
  });

  it('bill an impression once, whatever trace its URL names', async () => {
    const bid = await market.bid({}, { traceparent: CALLER });
    const { dspId } = market.bidders[0]!;
    const impressions = async () => (await running.call('GET', `/api/demand/sources/${dspId}/stats`)).body.impressions;
    await eventually('the first to be counted', async () => (await impressions()) === 1, { timeoutMs: 60_000 });
    const other = CALLER.replace('4bf9', 'ffff');
    for (const url of [
      bid.burl.replace(/trace=[^&]+/, `trace=${other}`),
      bid.burl,
      bid.burl.replace(/&trace=[^&]+/, ''),
    ]) {
      expect((await fetch(url)).status).to.equal(200);
    }
    await eventually('the impression to be counted', async () => (await impressions()) === 2, {
      timeoutMs: 60_000,
    });
  });
});
