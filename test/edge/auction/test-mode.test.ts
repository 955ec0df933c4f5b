import { expect } from 'chai';
import type { EdgeBudgets } from '#edge/budgets/edge-budgets';
import { UNLIMITED_BUDGETS } from '#edge/budgets/edge-budgets';
import { TrackingVerifier } from '#edge/tracking/verify';
import { bids } from '../../support/bidder.ts';
import { BROWSER_USER_AGENT } from '../../support/browser.ts';
import { bannerRequest, EdgeUnderTest, jsonOf } from '../../support/edge.ts';
import { pixelOf } from '../../support/pixel-of.ts';

const VAST =
  '<VAST version="3.0"><Ad><InLine><AdSystem>a</AdSystem><AdTitle>t</AdTitle><Impression>https://dsp.test/i</Impression>' +
  '<Creatives><Creative><Linear><Duration>00:00:15</Duration><MediaFiles><MediaFile type="video/mp4" delivery="progressive" ' +
  'width="1" height="1">https://dsp.test/f</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>';

const CAPPED = {
  id: 'campaign-1',
  campaign_id: 'capped',
  frequency_cap: { max_impressions: 1 },
  budget: { daily_cents: 1_000 },
};

/** What budgets and shares were asked to pay for. */
class Payments implements EdgeBudgets {
  readonly pendingLeases = UNLIMITED_BUDGETS.pendingLeases;
  readonly available = UNLIMITED_BUDGETS.available;
  readonly reserved: string[] = [];

  reserve(dspId: string): boolean {
    this.reserved.push(dspId);
    return true;
  }

  release(dspId: string): void {
    this.reserved.push(`released ${dspId}`);
  }
}

describe('an auction in test mode (OpenRTB 2.6 §3.2.1)', () => {
  let edge: EdgeUnderTest;
  let payments: Payments;
  beforeEach(async () => {
    edge = await new EdgeUnderTest().start();
    payments = new Payments();
    edge.budgets = payments;
    edge.shares = {
      reserve: (publisherId) => payments.reserve(publisherId),
      release: (publisherId) => payments.release(publisherId),
    };
  });
  afterEach(() => edge.close());

  const ofDevice = (fields: object) =>
    bannerRequest({ device: { ifa: 'device-1', ip: '203.0.113.7', ua: BROWSER_USER_AGENT }, ...fields });
  const verifier = new TrackingVerifier({ secretKey: 'a secret that only this test knows' });
  const queryOf = (url: string) => new URL(url).search.slice(1);

  it('is a real auction, whose ad is served and pays from no budget and no share', async () => {
    await edge.bidder(bids({ price: 2.5 }), { id: 'dsp-1' });
    const dear = await edge.bidder(bids({ price: 3 }), { id: 'dsp-2' });
    const bid = (await jsonOf(await edge.post(bannerRequest({ test: 1 })))).seatbid[0].bid[0];
    expect(bid.price).to.equal(3);
    expect(bid.adm).to.contain('/track/impression?');
    expect(dear.received[0]!.body.test, 'bidders are told').to.equal(1);
    expect(payments.reserved).to.be.empty;
    await edge.post(bannerRequest({ test: 0 }));
    expect(payments.reserved).to.have.members(['dsp-2', 'pub-1']);
  });

  it('answers a page with played ads that have no `nurl`, and sends its win notice at once', async () => {
    const bidder = await edge.bidder(bids({ price: 2.5, adm: VAST }));
    bidder.script = bids({ price: 2.5, adm: VAST, nurl: `${bidder.origin}/won` });
    const video = { mimes: ['video/mp4'], protocols: [2, 3], w: 640, h: 480 };
    const page = { origin: 'https://site.test', 'user-agent': BROWSER_USER_AGENT };
    const request = bannerRequest({ test: 1, imp: [{ id: '1', video }] });
    const { seatbid } = await jsonOf(await edge.post(request, page));
    expect(seatbid[0].bid[0]).to.not.have.property('nurl');
    await bidder.waitForRequests('/won');
  });

  it('takes no place under a frequency cap, and no part of a pace', async () => {
    edge.delegate([CAPPED]);
    for (let times = 0; times < 3; times++) {
      expect((await edge.post(ofDevice({ test: 1 }))).status, `test ${times}`).to.equal(200);
    }
    expect(edge.sold.map(({ sale }) => sale.capped)).to.be.empty;
    expect(edge.pace.reserved).to.be.empty;
    expect(edge.pace.biddingNanos.size).to.equal(0);
    expect((await edge.post(ofDevice({}))).status).to.equal(200);
    expect((await edge.post(ofDevice({ test: 1 }))).status, 'a cap that is reached').to.equal(204);
  });

  it('counts in no figure and is in no feed', async () => {
    await edge.bidder(bids({ price: 2.5 }));
    await edge.post(bannerRequest({ test: 1 }));
    await edge.post(bannerRequest({ test: 1, imp: [{ id: '1', banner: { w: 300, h: 250 }, bidfloor: 9 }] }));
    expect(await edge.counted('publisher', 'pub-1')).to.deep.equal({});
    expect(await edge.counted('dsp', 'dsp-1')).to.deep.equal({});
    expect(edge.sold).to.be.empty;
  });

  it('is recorded as what it is, apart from the auctions that others stand for', async () => {
    await edge.bidder(bids({ price: 2.5 }));
    await edge.post(bannerRequest({ test: 1 }));
    await edge.post(bannerRequest());
    const records = await edge.records();
    expect(records.map(({ test, outcome, sold }) => ({ test, outcome, sold: sold.length }))).to.deep.equal([
      { test: true, outcome: 'filled', sold: 1 },
      { test: undefined, outcome: 'filled', sold: 1 },
    ]);
  });

  it('sends win and loss notices, and carries no billing notice', async () => {
    const winner = await edge.bidder(bids({ price: 3 }), { id: 'dsp-1' });
    const loser = await edge.bidder(bids({ price: 1 }), { id: 'dsp-2' });
    winner.script = bids({ price: 3, nurl: `${winner.origin}/won`, burl: `${winner.origin}/billed` });
    loser.script = bids({ price: 1, lurl: `${loser.origin}/lost` });
    const bid = (await jsonOf(await edge.post(bannerRequest({ test: 1 })))).seatbid[0].bid[0];
    await loser.waitForRequests('/lost');
    expect(bid.burl).not.to.contain(encodeURIComponent('/billed'));
    const win = verifier.verify('win', queryOf(bid.nurl));
    expect(win).to.include({ ok: true, noticeUrl: `${winner.origin}/won` });
  });

  it('signs that it is one: a test becomes no sale, and a sale no test', async () => {
    await edge.bidder(bids({ price: 2.5 }));
    const urls = [];
    for (const test of [1, 0]) {
      const { burl, adm } = (await jsonOf(await edge.post(bannerRequest({ test })))).seatbid[0].bid[0];
      urls.push(burl, /src="([^"]+)"/.exec(adm)![1]!.replaceAll('&amp;', '&'));
    }
    const [testBurl, testPixel, burl, pixel] = urls as [string, string, string, string];
    for (const url of [testBurl, testPixel]) {
      const verified = verifier.verify('impression', queryOf(url));
      expect(verified.ok && verified.sale.test).to.equal(true);
      expect(verifier.verify('impression', queryOf(url.replace('&test=true', '')))).to.include({ reason: 'altered' });
      expect(verifier.verify('impression', queryOf(url.replace('test=true', 'test=0')))).to.include({
        reason: 'altered',
      });
    }
    for (const url of [burl, pixel, pixelOf(burl)]) {
      const verified = verifier.verify('impression', queryOf(url));
      expect(verified.ok && verified.sale.test).to.equal(undefined);
      expect(verifier.verify('impression', `${queryOf(url)}&test=true`)).to.include({ reason: 'altered' });
    }
  });

  it('changes nothing in the sandbox, whose figures are no money', async () => {
    edge.publisher({ status: 'sandbox' });
    await edge.bidder(bids({ price: 2.5 }), { status: 'sandbox' });
    const bid = (await jsonOf(await edge.post(bannerRequest({ test: 1 })))).seatbid[0].bid[0];
    const verified = verifier.verify('impression', queryOf(bid.burl));
    expect(verified.ok && verified.sale)
      .to.include({ sandbox: true })
      .and.not.to.have.property('test');
    expect(await edge.counted('publisher', 'pub-1', true)).to.include({ auctions: 1, filledImps: 1 });
  });

  it('can be asked for by tags', async () => {
    const bidder = await edge.bidder(bids({ price: 2.5 }));
    const response = await edge.get('/ad?publisher_id=pub-1&format=banner&w=300&h=250&test=1');
    expect(response.status).to.equal(200);
    expect(await response.text()).to.contain('test=true');
    expect(bidder.received[0]!.body.test).to.equal(1);
    expect(payments.reserved).to.be.empty;
    expect((await edge.get('/ad?publisher_id=pub-1&format=banner&w=300&h=250&test=yes')).status).to.equal(400);
  });

  it('is refused with a value that is neither 0 nor 1', async () => {
    for (const test of [2, '1', true]) {
      expect((await edge.post(bannerRequest({ test }))).status, String(test)).to.equal(400);
    }
  });
});
