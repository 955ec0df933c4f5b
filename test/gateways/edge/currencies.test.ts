// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are OpenRTB macros
import { expect } from 'chai';
import { bids } from '../../support/bidder.ts';
import { bannerRequest, EdgeUnderTest, jsonOf } from '../../support/edge.ts';

const today = () => new Date().toISOString();
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const MACROS = 'p=${AUCTION_PRICE}&c=${AUCTION_CURRENCY}&m=${AUCTION_MIN_TO_WIN}';

describe('currencies at the edge', () => {
  let exchange: EdgeUnderTest;
  beforeEach(async () => {
    exchange = await new EdgeUnderTest().start();
  });
  afterEach(() => exchange.close());

  const publishRates = (asOf = today()) =>
    exchange.replica.put('currency-rates', { id: 'usd', asOf, dollarsPerUnit: { EUR: 1.25, GBP: 1.5 } } as never);

  it('converts bids, and tells each bidder its prices in its own', async () => {
    publishRates();
    const pound = await exchange.bidder(bids({ price: 2 }), { id: 'dsp-1' });
    pound.script = bids({ price: 2, cur: 'GBP', adm: `<img src="https://dsp.test/i?${MACROS}">` });
    const euro = await exchange.bidder(bids({ price: 2 }), { id: 'dsp-2' });
    euro.script = bids({ price: 2.3333333, cur: 'EUR', lurl: `${euro.origin}/lost?${MACROS}` });
    const answer = await jsonOf(await exchange.post(bannerRequest()));
    expect(answer.cur).to.equal('USD');
    const [bid] = answer.seatbid[0].bid;
    expect(bid.price).to.equal(3);
    expect(bid.adm).to.contain('https://dsp.test/i?p=2&c=GBP&m=1.944445');
    // The winner's three dollars are 2.40 euros; two and a third were bid.
    const [lost] = await euro.waitForRequests('/lost');
    expect(lost!.path).to.equal('/lost?p=2.4&c=EUR&m=2.4');
    expect(exchange.sold[0]!.sale.priceCpmMicros).to.equal(3_000_000);
  });

  it('answers in the currency that the request takes, floors converted', async () => {
    publishRates();
    const bidder = await exchange.bidder(bids({ price: 3 }));
    const imp = [{ id: '1', banner: { w: 300, h: 250 }, bidfloor: 2, bidfloorcur: 'EUR' }];
    const answer = await jsonOf(await exchange.post(bannerRequest({ imp, cur: ['EUR'] })));
    expect(answer.cur).to.equal('EUR');
    expect(answer.seatbid[0].bid[0].price).to.equal(2.4);
    const [asked] = await bidder.waitForRequests('/');
    const sent = asked!.body;
    expect(sent.cur).to.deep.equal(['USD', 'EUR']);
    expect(sent.imp[0]).to.include({ bidfloor: 2.5, bidfloorcur: 'USD' });
    bidder.script = bids({ price: 2.4 });
    expect((await exchange.post(bannerRequest({ imp, cur: ['EUR'] }))).status).to.equal(204);
  });

  it('keeps the rates with the record of the auction', async () => {
    const asOf = today();
    publishRates(asOf);
    await exchange.bidder(bids({ price: 4, cur: 'EUR' }));
    const imp = [{ id: '1', banner: { w: 300, h: 250 }, bidfloor: 2, bidfloorcur: 'EUR' }];
    expect((await exchange.post(bannerRequest({ imp, cur: ['GBP'] }))).status).to.equal(200);
    const record = (await exchange.records()).at(-1)!;
    expect(record.currencies).to.deep.equal({ ratesAsOf: asOf, answer: 'GBP' });
    expect(record.imps[0]).to.deep.include({
      requestFloorCpmMicros: 2_500_000,
      statedFloor: { cpm: 2, currency: 'EUR', dollarsPerUnit: 1.25 },
    });
    expect(record.parts[0]!.bids[0]).to.deep.include({
      priceCpmMicros: 5_000_000,
      statedPrice: { cpm: 4, currency: 'EUR', dollarsPerUnit: 1.25 },
    });
  });

  it('refuses a bid in a currency without a rate', async () => {
    publishRates();
    await exchange.bidder(bids({ price: 3, cur: 'XAU' }));
    expect((await exchange.post(bannerRequest())).status).to.equal(204);
    expect((await exchange.records()).at(-1)!.parts[0]!.bids[0]).to.include({
      reason: 'wrong-currency',
      priceCpmMicros: null,
    });
  });

  it('converts nothing with rates that are too old, nor without any', async () => {
    await exchange.bidder(bids({ price: 3, cur: 'EUR' }));
    expect((await exchange.post(bannerRequest())).status).to.equal(204);
    publishRates(daysAgo(8));
    expect((await exchange.post(bannerRequest())).status).to.equal(204);
    publishRates(daysAgo(6));
    expect((await exchange.post(bannerRequest())).status).to.equal(200);
  });

  it('takes bids in other currencies for tags too', async () => {
    publishRates();
    await exchange.bidder(bids({ price: 2, cur: 'EUR' }));
    expect((await exchange.get('/ad?publisher_id=pub-1&format=banner&w=300&h=250')).status).to.equal(200);
    expect(exchange.sold[0]!.sale.priceCpmMicros).to.equal(2_500_000);
  });
});
