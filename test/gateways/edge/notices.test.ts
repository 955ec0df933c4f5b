// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are OpenRTB macros
import { expect } from 'chai';
import { bids } from '../../support/bidder.ts';
import { bannerRequest, EdgeUnderTest, jsonOf } from '../../support/edge.ts';

describe('notices of an auction', () => {
  let exchange: EdgeUnderTest;
  beforeEach(async () => {
    exchange = await new EdgeUnderTest().start();
  });
  afterEach(() => exchange.close());

  const macros =
    'id=${AUCTION_ID}&bid=${AUCTION_BID_ID}&imp=${AUCTION_IMP_ID}&seat=${AUCTION_SEAT_ID}&price=${AUCTION_PRICE}&cur=${AUCTION_CURRENCY}&loss=${AUCTION_LOSS}&min=${AUCTION_MIN_TO_WIN}&mbr=${AUCTION_MBR}&ad=${AUCTION_AD_ID}';

  it('tells losers why and at what price, as the standard’s worked example has it', async () => {
    const said = (origin: string) => `${origin}/lost?${macros}`;
    const floor = { imp: [{ id: '1', banner: { w: 300, h: 250 }, bidfloor: 0.85 }] };
    const notified = [];
    for (const [id, price] of [
      ['dsp-1', 1],
      ['dsp-2', 0.9],
      ['dsp-3', 0.8],
    ] as const) {
      const bidder = await exchange.bidder(bids({ price }), { id });
      bidder.script = bids({
        price,
        seat: `seat-${id}`,
        adid: 'ad 1',
        lurl: said(bidder.origin),
        nurl: `${bidder.origin}/won?${macros}`,
      });
      notified.push(bidder);
    }
    const answer = await jsonOf(await exchange.post(bannerRequest(floor)));
    expect(answer.seatbid[0].bid[0].price).to.equal(1);
    const [second] = await notified[1]!.waitForRequests('/lost');
    const [third] = await notified[2]!.waitForRequests('/lost');
    expect(second!.method).to.equal('POST');
    expect(second!.path).to.equal(
      '/lost?id=request-1&bid=response-to-request-1&imp=1&seat=seat-dsp-2&price=1&cur=USD&loss=102&min=1&mbr=1.1111&ad=ad%201',
    );
    expect(Object.fromEntries(new URL(third!.path, 'http://x').searchParams)).to.include({
      loss: '100',
      price: '1',
      min: '1',
      mbr: '1.25',
    });
    const winUrl = new URL(answer.seatbid[0].bid[0].nurl);
    const notice = new URL(winUrl.searchParams.get('notice')!);
    expect(Object.fromEntries(notice.searchParams)).to.include({
      price: '1',
      min: '0.9',
      mbr: '1',
      loss: '0',
      cur: 'USD',
    });
    expect(
      notified[0]!.received.some(({ path }) => path.startsWith('/won')),
      'the caller decides',
    ).to.equal(false);
  });

  it('tells the winner of a deal at an agreed price what part of its bid it pays', async () => {
    const bidder = await exchange.bidder(bids({ price: 7 }));
    bidder.script = bids({ price: 7, dealid: 'd', nurl: `${bidder.origin}/won?${macros}` });
    const deals = [{ id: 'd', at: 3, bidfloor: 2 }];
    const imp = [{ id: '1', banner: { w: 300, h: 250 }, pmp: { deals } }];
    const answer = await jsonOf(await exchange.post(bannerRequest({ imp })));
    const notice = new URL(new URL(answer.seatbid[0].bid[0].nurl).searchParams.get('notice')!);
    expect(Object.fromEntries(notice.searchParams)).to.include({ price: '2', mbr: '0.2857', loss: '0' });
  });

  it('tells a loser by the method that its demand source wants', async () => {
    await exchange.bidder(bids({ price: 5 }), { id: 'dsp-1' });
    const losers = [];
    for (const [id, fields] of [
      ['dsp-2', { lossNoticeMethod: 'GET' }],
      ['dsp-3', { lossNoticeMethod: 'POST' }],
      ['dsp-4', {}],
    ] as const) {
      const loser = await exchange.bidder(bids({ price: 1 }), { id, ...fields });
      loser.script = bids({ price: 1, lurl: `${loser.origin}/lost` });
      losers.push(loser);
    }
    await exchange.post(bannerRequest());
    const notices = await Promise.all(losers.map((loser) => loser.waitForRequests('/lost')));
    expect(notices.map(([notice]) => notice!.method)).to.deep.equal(['GET', 'POST', 'POST']);
  });

  it('fills macros in the markup, and keeps the impression’s time in burl for later', async () => {
    await exchange.bidder(
      bids({
        price: 2.5,
        adm: '<img src="https://dsp.test/i?p=${AUCTION_PRICE}&e=%24%7BAUCTION_PRICE%7D&b=${AUCTION_PRICE:B64}&t=${AUCTION_IMP_TS}.">',
        burl: 'https://dsp.test/b?p=${AUCTION_PRICE}&t=${AUCTION_IMP_TS}',
      }),
    );
    const answer = await jsonOf(await exchange.post(bannerRequest()));
    const { adm, burl } = answer.seatbid[0].bid[0];
    expect(adm).to.contain('https://dsp.test/i?p=2.5&e=2.5&b=Mi41&t=.');
    expect(new URL(burl).searchParams.get('notice')).to.equal('https://dsp.test/b?p=2.5&t=${AUCTION_IMP_TS}');
  });

  it('sells no markup that its macros make too long, and drops the notices that they make so', async () => {
    const adid = 'é'.repeat(256);
    const many = '%24%7BAUCTION_AD_ID%7D'.repeat(500);
    const endless = await exchange.bidder(bids({ price: 5 }), { id: 'dsp-1' });
    endless.script = bids({ price: 5, adid, adm: `<b title="${many}">`, lurl: `${endless.origin}/lost?${many}` });
    const loser = await exchange.bidder(bids({ price: 1 }), { id: 'dsp-2' });
    loser.script = bids({ price: 1, lurl: `${loser.origin}/lost` });
    await exchange.bidder(bids({ price: 2 }), { id: 'dsp-3' });
    const answer = await jsonOf(await exchange.post(bannerRequest()));
    expect(answer.seatbid[0].bid[0].price).to.equal(2);
    await loser.waitForRequests('/lost');
    expect(exchange.notices.counts.loss.dropped).to.equal(1);
    const [bid] = (await exchange.records()).at(-1)!.parts.find(({ dspId }) => dspId === 'dsp-1')!.bids;
    expect([bid!.reason, bid!.detail]).to.deep.equal(['creative-rejected', 'its macros make too much markup']);
  });

  it('sends the win notice of /vast and /ad at once', async () => {
    const bidder = await exchange.bidder(bids({ price: 2.5 }));
    bidder.script = bids({ price: 2.5, nurl: `${bidder.origin}/won?p=\${AUCTION_PRICE}` });
    const response = await exchange.get('/ad?publisher_id=pub-1&format=banner&w=300&h=250');
    expect(response.status).to.equal(200);
    const [won] = await bidder.waitForRequests('/won');
    expect(`${won!.method} ${won!.path}`).to.equal('GET /won?p=2.5');
  });

  it('tells every bidder once that the opportunity is gone, when the exchange itself took too long', async () => {
    await exchange.close();
    exchange = await new EdgeUnderTest({ maxAuctionMs: 0 }).start();
    const notified = [];
    for (const [id, price] of [
      ['dsp-1', 1],
      ['dsp-2', 2],
    ] as const) {
      const bidder = await exchange.bidder(bids({ price }), { id });
      bidder.script = bids({ price, lurl: `${bidder.origin}/lost?loss=\${AUCTION_LOSS}&price=\${AUCTION_PRICE}` });
      notified.push(bidder);
    }
    const request = bannerRequest();
    expect((await exchange.post(request)).status).to.equal(503);
    const heard = await Promise.all(notified.map((bidder) => bidder.waitForRequests('/lost')));
    expect(heard.map(([notice]) => notice!.path)).to.deep.equal(['/lost?loss=102&price=2', '/lost?loss=2&price=']);
    expect((await exchange.post(request)).status, 'the same request again').to.equal(503);
    await Promise.all(notified.map((bidder) => bidder.waitForRequests('/lost', 2)));
    await exchange.notices.close(1_000);
    const all = notified.map(({ received }) => received.filter(({ path }) => path.startsWith('/lost')).length);
    expect(all).to.deep.equal([2, 2]);
    expect(await exchange.counted('dsp', 'dsp-2')).to.include({ 'losses/auction-expired': 2 });
  });

  it('answers before any notice leaves', async () => {
    const bidder = await exchange.bidder(bids({ price: 1 }), { id: 'dsp-1' });
    await exchange.bidder(bids({ price: 2 }), { id: 'dsp-2' });
    bidder.script = bids({ price: 1, lurl: 'http://127.0.0.1:9/lost' });
    expect((await exchange.post(bannerRequest())).status).to.equal(200);
  });
});
