import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { Market } from '../../specification/market.ts';
import { bids } from '../../support/bidder.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestExchange, type TestExchange } from '../../support/exchange.ts';

describe('an exchange with rates of currencies', () => {
  let folder: string;
  let path: string;
  let running: TestExchange;
  let market: Market;
  const write = async (conversions: object) => {
    await writeFile(`${path}.new`, JSON.stringify({ dataAsOf: new Date().toISOString(), conversions }));
    await rename(`${path}.new`, path);
  };
  before(async function () {
    folder = await mkdtemp(join(tmpdir(), 'currencies-'));
    path = join(folder, 'rates.json');
    await write({ EUR: { USD: 1.2345 } });
    running = await startTestExchange(this, 'embedded', { CURRENCY_RATES_URL: pathToFileURL(path).href });
    const create = async (at: string, fields: object) =>
      (await running.call('POST', at, { name: `Name ${at}`, ...fields })).body;
    await eventually('the rates to be read', async () => (await rates()).in_use, { timeoutMs: 60_000 });
    market = new Market({ running, call: running.call, create });
    await market.open({ bidders: [{ script: bids({ price: 100, cur: 'EUR' }) }] });
  });
  after(async () => {
    await market?.close();
    await running?.stop();
    await rm(folder, { recursive: true });
  });
  const rates = async () => (await running.call('GET', '/api/currency-rates')).body;

  it('says what the rates are', async () => {
    expect(await rates()).to.include({ base: 'USD', in_use: true, source: 'file' });
    expect((await rates()).dollars_per_unit).to.deep.equal({ EUR: 1.2345 });
    const anyone = await fetch(`${running.baseUrl}/api/currency-rates`);
    expect(anyone.status).to.equal(200);
  });

  it('bills an impression that was bid in euros in dollars, on both sides, and the explorer has the rate', async () => {
    const bid = await market.bid({ cur: ['EUR'] });
    expect(bid.price).to.equal(100);
    expect((await fetch(bid.burl)).status).to.equal(200);
    const dspId = market.bidders[0]!.dspId;
    const figure = async (at: string, field: string) => (await running.call('GET', at)).body[field];
    // A thousandth of 100 euros are 12.345 cents.
    for (const [at, field] of [
      [`/api/demand/sources/${dspId}/stats`, 'spend_cents'],
      [`/api/supply/sources/${market.publisherId}/stats`, 'revenue_cents'],
    ] as const) {
      await eventually('the impression to be in the books', async () => (await figure(at, field)) > 0, {
        timeoutMs: 60_000,
      });
      expect(await figure(at, field)).to.equal(12.345);
    }
    const listed = async () =>
      (await running.call('GET', `/api/auctions?publisher_id=${market.publisherId}&outcome=filled`)).body.auctions;
    await eventually('the auction to be recorded', async () => (await listed())?.length > 0, { timeoutMs: 60_000 });
    const [{ id }] = await listed();
    const { body: auction } = await running.call('GET', `/api/auctions/${id}`);
    expect(auction.currencies).to.have.keys('rates_as_of', 'answered_in');
    expect(auction.demand[0].bids[0]).to.deep.include({
      price_cpm: 123.45,
      stated_price: { cpm: 100, currency: 'EUR', dollars_per_unit: 1.2345 },
    });
  });
});
