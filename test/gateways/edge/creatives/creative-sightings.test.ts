// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are macros of markup
import { expect } from 'chai';
import { creativeId, fingerprintOf } from '#edge/creatives/creative-id';
import type { Clock } from '#runtime/ports/clock';
import { bids, type ScriptedBidder } from '#test/support/bidder';
import { bannerRequest, EdgeUnderTest } from '#test/support/edge';
import { steadyClock } from '#test/support/steady-clock';
import { ADM, auctionedCreatives, CREATIVE, FINGERPRINT } from './auctioned-creatives.ts';

describe('creatives in auctions that are sold', () => {
  let exchange: EdgeUnderTest;
  beforeEach(async () => {
    exchange = await new EdgeUnderTest().start();
  });
  afterEach(() => exchange.close());
  const { sold, seen, seenSome } = auctionedCreatives(() => exchange);

  it('are told to the creative, with what the bid said of it', async () => {
    await exchange.bidder(bids({ price: 2, cat: ['IAB2'], attr: [6] }));
    await sold();
    await sold();
    const told = await seen();
    expect(told).to.have.length(1);
    expect(told[0]).to.deep.equal({
      id: CREATIVE,
      body: {
        dspId: 'dsp-1',
        accountId: 'account-1',
        partnerId: null,
        sandbox: false,
        campaignId: null,
        crid: 'creative-1',
        fingerprint: FINGERPRINT,
        declared: 'auto',
        markup: ADM,
        formats: ['banner'],
        sizes: ['300x250'],
        advertiserDomains: ['advertiser.test'],
        categories: ['IAB2'],
        categoryTaxonomy: 1,
        attributes: [6],
        publisherIds: ['pub-1'],
        sightings: 2,
        wins: 2,
        refusals: 0,
      },
    });
  });

  it('are one creative, whatever of the auction stands in their markup', async () => {
    const bidder = await exchange.bidder(bids({ price: 1 }));
    bidder.script = (received, response) =>
      bids({
        price: 1,
        adm: `<img src="https://a.test/?auction=${received.body.id}&cb=${1e9 + bidder.received.length}">`,
      })(received, response);
    for (let number = 0; number < 5; number++) await sold(bannerRequest({ id: `an-auction-of-its-own-${number}` }));
    const [{ body }, ...others] = await seenSome();
    expect(others).to.deep.equal([]);
    expect(body.markup).to.equal('<img src="https://a.test/?auction=${AUCTION_ID}&cb=${EXCHANGE_CACHE_BUSTER}">');
    expect(body).to.include({ wins: 5, sightings: 5 });
  });

  it('are another creative with other markup, and by another demand source', async () => {
    const bidder = await exchange.bidder(bids({ price: 2 }));
    await sold();
    bidder.script = bids({ price: 2, adm: '<b>swapped</b>' });
    await sold();
    await exchange.bidder(bids({ price: 3 }), { id: 'dsp-2' });
    await sold();
    const told = await seen();
    expect(new Set(told.map(({ id }) => id)).size).to.equal(3);
    expect(told.map(({ body: { dspId, fingerprint } }) => [dspId, fingerprint])).to.deep.equal([
      ['dsp-1', FINGERPRINT],
      ['dsp-1', fingerprintOf('<b>swapped</b>')],
      ['dsp-2', FINGERPRINT],
    ]);
  });

  it('are one creative for all of a crid whose markup is never the same', async () => {
    const bidder = await exchange.bidder(bids({ price: 1 }));
    bidder.script = (received, response) =>
      bids({ price: 1, adm: `<b>${bidder.received.length} of many</b>` })(received, response);
    for (let number = 0; number < 40; number++) await sold();
    const told = await seen();
    const dynamic = creativeId({ dspId: 'dsp-1', crid: 'creative-1', fingerprint: '' });
    const last = told.find(({ id }) => id === dynamic)!;
    expect(last.body).to.include({ fingerprint: '', declared: 'auto' });
    expect(last.body.markup).to.match(/^<b>\d+ of many<\/b>$/);
    expect(last.body.wins).to.be.at.least(28);
    expect(told.length, 'versions that were one of many are none').to.be.at.most(2);
  });

  it('are not told apart where the demand source says that its markup differs', async () => {
    const bidder = await exchange.bidder(bids({ price: 1 }), { creatives: 'dynamic' });
    bidder.script = (received, response) =>
      bids({ price: 1, adm: `<b>${bidder.received.length}</b>` })(received, response);
    for (let number = 0; number < 3; number++) await sold();
    const told = await seen();
    expect(told).to.have.length(1);
    expect(told[0]!.body).to.include({ fingerprint: '', declared: 'dynamic', wins: 3 });
  });

  it('are told as live once their demand source has left the sandbox', async () => {
    const bidder = await exchange.bidder(bids({ price: 1 }), { status: 'sandbox' });
    await sold(bannerRequest(), '/rtb?sandbox=true');
    const [tested] = await seenSome();
    expect(tested.body).to.include({ sandbox: true, wins: 1 });
    exchange.dsp({ endpointUrl: bidder.url, status: 'active' });
    await sold();
    const [live] = await seenSome();
    expect(live).to.deep.include({ id: CREATIVE });
    expect(live.body).to.include({ sandbox: false, wins: 1 });
  });

  it('are counted by samples once they are known, and none is lost', async () => {
    await exchange.bidder(bids({ price: 1 }));
    for (let number = 0; number < 50; number++) await sold();
    const told = await seen();
    expect(told.reduce((sum, { body }) => sum + body.wins, 0)).to.equal(50);
    expect(told.reduce((sum, { body }) => sum + body.sightings, 0)).to.be.within(16, 20);
  });

  it('are told again when the log is back from an overload, with their markup', async () => {
    await exchange.bidder(bids({ price: 1 }));
    await sold();
    exchange.refuseTells = true;
    await seen();
    exchange.refuseTells = false;
    await sold();
    const told = await seen();
    expect(told.map(({ body: { wins, markup } }) => [wins, markup])).to.deep.equal([[2, ADM]]);
  });

  it('are bounded: a demand source with a new one in each auction has a hundred pages a minute', async () => {
    const bidder = await exchange.bidder(bids({ price: 1 }));
    bidder.script = (received, response) => bids({ price: 1, crid: `c-${bidder.received.length}` })(received, response);
    for (let number = 0; number < 120; number++) await sold();
    expect(await seen()).to.have.length(100);
    expect(exchange.auctionCreatives.sightings.dropped).to.equal(20);
  });

  describe('by a demand source that may have three new ones a day', () => {
    let aheadMs: number;
    let bidder: ScriptedBidder;
    beforeEach(async () => {
      await exchange.close();
      aheadMs = 0;
      const clock: Clock = {
        now: () => Date.now(),
        monotonic: () => steadyClock.monotonic() + aheadMs,
        after: (delayMs, fire) => steadyClock.after(delayMs, fire),
      };
      exchange = await new EdgeUnderTest({}, undefined, {}, clock, 3).start();
      bidder = await exchange.bidder(bids({ price: 1 }));
    });
    const sell = async (...crids: string[]) => {
      for (const crid of crids) {
        bidder.script = bids({ price: 1, crid });
        expect(await sold()).to.contain(ADM);
      }
    };
    const toldCrids = async () => (await seen()).map(({ body: { crid } }) => crid);

    it('are told of no further ones, which are sold all the same', async () => {
      await sell('one', 'two', 'three', 'four', 'one');
      expect(await toldCrids()).to.deep.equal(['one', 'two', 'three']);
      aheadMs = 3_600_000;
      await sell('five', 'two');
      expect(await toldCrids()).to.deep.equal(['two']);
      expect(exchange.auctionCreatives.sightings.dropped).to.equal(2);
      aheadMs = 86_400_000;
      await sell('six');
      expect(await toldCrids()).to.deep.equal(['six']);
    });

    it('count once where their markup is never the same', async () => {
      bidder.script = (received, response) =>
        bids({ price: 1, crid: 'changing', adm: `<b>${bidder.received.length} of many</b>` })(received, response);
      for (let number = 0; number < 20; number++) await sold();
      await sell('two', 'three', 'four');
      expect(await toldCrids()).to.deep.equal(['changing', 'two', 'three']);
    });
  });

  it('are those of campaigns, too', async () => {
    exchange.delegate([{ id: 'campaign-1' }]);
    const adm = await sold();
    expect(adm).to.be.a('string');
    const [{ body }] = await seenSome();
    expect(body).to.include({ campaignId: 'campaign-1', dspId: 'dsp-1', wins: 1 });
    expect(JSON.parse(body.markup!)).to.have.property('creative_id', body.crid);
  });
});
