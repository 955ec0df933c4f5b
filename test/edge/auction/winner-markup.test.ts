import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { AuctionRun } from '#edge/auction/auction-run';
import type { SaleContext } from '#edge/auction/sale-context';
import type { BidderOffer } from '#edge/demand-part';
import type { Bid } from '#exchange/openrtb/bid-response';
import { MarkupFetcher } from '#gateways/bidders/markup-fetcher';
import { DEFAULT_BIDDER_SETTINGS } from '#gateways/bidders/settings';
import { systemClock } from '#runtime/providers/system/system-clock';
import { AheadClock } from '../../gateways/webhooks/ahead-clock.ts';
import { answer, bids, type ReceivedRequest, type ScriptedBidder } from '../../support/bidder.ts';
import { bannerRequest, EdgeUnderTest, jsonOf } from '../../support/edge.ts';

/** How a win notice is answered. */
type NoticeAnswer = (response: ServerResponse) => void;

// biome-ignore lint/suspicious/noTemplateCurlyInString: a macro
const MARKUP = '<p>worth ${AUCTION_PRICE}</p>';
const VAST =
  '<VAST version="3.0"><Ad><InLine><AdSystem>a</AdSystem><AdTitle>t</AdTitle><Impression>https://dsp.test/i</Impression><Creatives><Creative><Linear><Duration>00:00:10</Duration><MediaFiles><MediaFile type="video/mp4" delivery="progressive" width="1" height="1">https://dsp.test/f</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>';
const page =
  (markup: string): NoticeAnswer =>
  (response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(markup);

describe('markup that comes with the answer to the win notice', () => {
  let exchange: EdgeUnderTest;
  beforeEach(async () => {
    exchange = await new EdgeUnderTest().start();
  });
  afterEach(() => exchange.close());

  /** A bidder at 5 CPM whose bids have a `nurl` and no `adm`, beside another at 1 CPM that brings its markup. */
  const market = async (answer: NoticeAnswer, fields: Record<string, unknown> = {}): Promise<ScriptedBidder> => {
    const bidder = await exchange.bidder((received, response) => {
      if (received.path.startsWith('/bid/won')) return answer(response);
      const nurl = `${bidder.origin}/bid/won?price=\${AUCTION_PRICE}&imp=\${AUCTION_IMP_ID}`;
      return bids({ price: 5, adm: undefined, nurl, ...fields })(received, response);
    });
    await exchange.bidder(bids({ price: 1, crid: 'other' }), { id: 'dsp-2' });
    return bidder;
  };
  const sell = async (fields: Record<string, unknown> = {}) => {
    const response = await exchange.post(bannerRequest(fields));
    return response.status === 200 ? (await jsonOf(response)).seatbid[0].bid[0] : null;
  };
  const noticesOf = ({ received }: ScriptedBidder) => received.filter(({ path }) => path.startsWith('/bid/won'));

  it('is fetched, filled in and tracked, and the notice is sent once', async () => {
    const bidder = await market(page(MARKUP));
    const bid = await sell();
    expect(bid.price).to.equal(5);
    expect(bid.adm).to.match(/^<img src="https:\/\/edge\.test\/track\/impression\?.*<p>worth 5<\/p>$/);
    const notices = noticesOf(bidder);
    expect(notices.map(({ method, path }) => [method, path])).to.deep.equal([['GET', '/bid/won?price=5&imp=1']]);
    // Our nurl has nothing left to tell the bidder.
    expect(new URL(bid.nurl).searchParams.has('notice')).to.equal(false);
    expect(await exchange.counted('dsp', 'dsp-1')).to.include({ bids: 1, wins: 1 });
  });

  it('goes over connections that are kept', async () => {
    const bidder = await market(page(MARKUP));
    for (let auction = 0; auction < 5; auction += 1) expect((await sell()).price).to.equal(5);
    expect(noticesOf(bidder)).to.have.length(5);
    // One for bids, one for notices.
    expect(bidder.connections()).to.equal(2);
  });

  it('is asked of winners alone', async () => {
    const bidder = await market(page(MARKUP), { price: 0.5 });
    expect((await sell()).crid).to.equal('other');
    expect(noticesOf(bidder)).to.deep.equal([]);
  });

  const worthless: Readonly<Record<string, NoticeAnswer>> = {
    'no content': (response) => response.writeHead(204).end(),
    'an empty page': page('  '),
    'an error': (response) => response.writeHead(500).end(MARKUP),
    'a redirect': (response) => response.writeHead(302, { location: '/bid/won' }).end(),
    'more than bidders may answer': page('x'.repeat(300 * 1024)),
    'a coding that was not asked for': (response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.from([1, 2, 3])),
    'a hang-up': (response) => response.destroy(),
    'no answer in time': () => undefined,
  };
  for (const [what, answer] of Object.entries(worthless)) {
    it(`loses with ${what}, and the next one wins in the same auction`, async () => {
      const bidder = await market(answer);
      const startedMs = performance.now();
      expect((await sell({ tmax: 300 })).crid).to.equal('other');
      expect(performance.now() - startedMs, 'no silence is waited out').to.be.below(15_000);
      expect(noticesOf(bidder)).to.have.length(1);
      expect(await exchange.counted('dsp', 'dsp-1')).to.include({ bids: 1, 'losses/creative-rejected': 1 });
      expect(await exchange.counted('dsp', 'dsp-2')).to.include({ bids: 1, wins: 1 });
    });
  }

  it('is judged like markup that came with the bid', async () => {
    const plain = '<img src="http://cdn.test/i.png">';
    await market(page(plain));
    const imp = [{ id: '1', banner: { w: 300, h: 250 }, secure: 1 }];
    expect((await sell({ imp })).crid).to.equal('other');
    expect(await exchange.counted('dsp', 'dsp-1')).to.include({ bids: 1, 'losses/insecure-creative': 1 });
    expect((await sell()).adm).to.contain(plain);
  });

  it('is asked of bids that reach the floor of the dearest length, and has the floor of its own', async () => {
    const bidder = await market(page(VAST));
    const video = { mimes: ['video/mp4'], protocols: [3], w: 640, h: 480, maxduration: 20 };
    const floorFor = async (mincpmpersec: number) => {
      const response = await exchange.post(bannerRequest({ imp: [{ id: '1', video: { ...video, mincpmpersec } }] }));
      const record = (await exchange.records()).at(-1)!;
      const [bid] = record.parts.find(({ dspId }) => dspId === 'dsp-1')!.bids;
      return [response.status, bid!.reason ?? null, bid!.floorCpmMicros];
    };
    expect(await floorFor(0.3)).to.deep.equal([204, 'below-floor', 6_000_000]);
    expect(noticesOf(bidder)).to.deep.equal([]);
    expect(await floorFor(0.25)).to.deep.equal([200, null, 2_500_000]);
    expect(noticesOf(bidder)).to.have.length(1);
  });

  it('has its duration read, and that of no other bid again', () => {
    let reads = 0;
    const wrapper =
      '<VAST version="3.0"><Ad><Wrapper><AdSystem>a</AdSystem><VASTAdTagURI>https://dsp.test/v</VASTAdTagURI><Impression>https://dsp.test/i</Impression></Wrapper></Ad></VAST>';
    const unfetched: Bid = { id: 'a', impid: '1', price: 1, nurl: 'https://dsp.test/won' };
    const other: Bid = {
      ...{ id: 'b', impid: '1', price: 1 },
      get adm() {
        reads += 1;
        return wrapper;
      },
    };
    const bids = [unfetched, other].map((bid) => ({ bid, seat: null, group: null }));
    const offer: BidderOffer = { dspId: 'dsp-1', currency: 'USD', bidId: null, bids };
    const request = { id: 'r', imp: [{ id: '1', video: { mimes: ['video/mp4'], mincpmpersec: 0.1 } }] };
    const run = new AuctionRun([offer], { auction: { request } } as unknown as SaleContext);
    expect(reads).to.be.above(0);
    reads = 0;
    run.supplyMarkup(unfetched, wrapper);
    expect(reads).to.equal(0);
  });

  it('is never fetched from where bidders may not be', async () => {
    const guarded = new MarkupFetcher({ ...DEFAULT_BIDDER_SETTINGS, allowPrivateNetworks: false }, systemClock);
    const bidder = await market(page(MARKUP));
    try {
      for (const url of [
        bidder.origin,
        bidder.origin.replace('127.0.0.1', 'localhost'),
        'file:///etc/passwd',
        'no url',
      ]) {
        expect(await guarded.fetch(`${url}/bid/won`, 1_000), url).to.equal(null);
      }
      expect(noticesOf(bidder)).to.deep.equal([]);
    } finally {
      await guarded.close();
    }
  });

  it('is not sold with a tracking URL that is too long to be called', async () => {
    for (const fields of [{ burl: `https://b.example/?${'x'.repeat(8_000)}` }, { crid: 'ü'.repeat(1_500) }]) {
      const other = await new EdgeUnderTest().start();
      try {
        await other.bidder(bids({ price: 5, ...fields }));
        await other.bidder(bids({ price: 1, crid: 'other' }), { id: 'dsp-2' });
        const [bid] = (await jsonOf(await other.post(bannerRequest({})))).seatbid[0].bid;
        expect(bid.crid).to.equal('other');
        expect(bid.burl.length).to.be.below(8_000);
      } finally {
        await other.close();
      }
    }
  });

  it('is asked of no more bids of one bidder when five rounds of them had none, and of its others not at all', async () => {
    let paths: string[] = [];
    let isWithoutUrl = false;
    const bidder = await exchange.bidder((received, response) => {
      if (received.path.startsWith('/bid/won')) {
        paths.push(received.path);
        return response.writeHead(204).end();
      }
      const bid = Array.from({ length: 400 }, (_, rank) => ({
        ...{ id: `${rank}`, impid: '1', price: 9 - rank / 100, crid: `${rank}`, adomain: ['a.example'] },
        nurl: isWithoutUrl ? 'x' : `${bidder.origin}/bid/won?${rank}`,
      }));
      const { nurl: _, ...bare } = bid[0]!;
      bid.push({ ...bare, id: 'whole', price: 3, crid: 'whole', adm: MARKUP } as never);
      return answer(response, { id: received.body.id, seatbid: [{ bid }] });
    });
    await exchange.bidder(bids({ price: 1, crid: 'other' }), { id: 'dsp-2' });
    expect((await sell()).crid).to.equal('whole');
    expect(paths).to.deep.equal(['0', '1', '2', '3', '4'].map((rank) => `/bid/won?${rank}`));
    isWithoutUrl = true;
    paths = [];
    expect((await sell({ id: 'request-2' })).crid).to.equal('whole');
    expect(await exchange.counted('dsp', 'dsp-1')).to.include({ wins: 2, 'losses/creative-rejected': 2 * 400 });
    const [record] = (await exchange.records()).slice(-1);
    const details = record!.parts.find(({ dspId }) => dspId === 'dsp-1')!.bids.map(({ detail }) => detail ?? null);
    expect(details.filter((detail) => detail === 'its win notice brought no markup in time')).to.have.length(5);
  });

  const unsellable: Readonly<Record<string, { readonly markup: string; readonly imp: Record<string, unknown> }>> = {
    'loads over plain HTTP': {
      markup: '<img src="http://cdn.test/i.png">',
      imp: { banner: { w: 300, h: 250 }, secure: 1 },
    },
    'lasts too long': {
      markup: VAST.replace('00:00:10', '00:00:50'),
      imp: { video: { mimes: ['video/mp4'], protocols: [3], w: 640, h: 480, maxduration: 20, mincpmpersec: 0.01 } },
    },
  };
  for (const [why, { markup, imp }] of Object.entries(unsellable)) {
    it(`is asked of no more bids of one bidder when in five rounds it ${why}`, async () => {
      const paths: string[] = [];
      const bidder = await exchange.bidder((received, response) => {
        if (received.path.startsWith('/bid/won')) {
          paths.push(received.path);
          return page(markup)(response);
        }
        const bid = Array.from({ length: 20 }, (_, rank) => ({
          ...{ id: `${rank}`, impid: '1', price: 9 - rank / 100, crid: `${rank}`, adomain: ['a.example'] },
          nurl: `${bidder.origin}/bid/won?${rank}`,
        }));
        return answer(response, { id: received.body.id, seatbid: [{ bid }] });
      });
      const adm = imp.video === undefined ? '<p>other</p>' : VAST;
      await exchange.bidder(bids({ price: 1, crid: 'other', adm }), { id: 'dsp-2' });
      expect((await sell({ imp: [{ id: '1', ...imp }], tmax: 900 })).crid).to.equal('other');
      expect(paths).to.deep.equal(['0', '1', '2', '3', '4'].map((rank) => `/bid/won?${rank}`));
    });
  }

  it('is waited for no longer than an auction may take, whatever its `tmax`', async () => {
    const clock = new AheadClock();
    const bidders = {
      ...{ ...DEFAULT_BIDDER_SETTINGS, allowPrivateNetworks: true },
      ...{ maxTimeoutMs: 20_000, answerMarginMs: 20_000 },
    };
    const slow = await new EdgeUnderTest({ maxAuctionMs: 60_000, bidders }, undefined, {}, clock).start();
    try {
      const bidder = await slow.bidder((received, response) => {
        if (received.path.startsWith('/bid/won')) return setImmediate(() => clock.advance(40_000));
        const nurl = `${bidder.origin}/bid/won`;
        return bids({ price: 5, adm: undefined, nurl })(received, response);
      });
      await slow.bidder(bids({ price: 1, crid: 'other' }), { id: 'dsp-2' });
      const [bid] = (await jsonOf(await slow.post(bannerRequest({ tmax: 600_000 })))).seatbid[0].bid;
      expect(bid.crid).to.equal('other');
    } finally {
      await slow.close();
    }
  });

  it('is not fetched from a URL that is longer than notices may be once its macros are filled', async () => {
    const rest = '&bid=$' + '{AUCTION_BID_ID}&end=1';
    const bidder = await exchange.bidder((received, response) => {
      if (received.path.startsWith('/bid/won')) return page(MARKUP)(response);
      const nurl = `${bidder.origin}/bid/won?${'x'.repeat(8_192 - bidder.origin.length - length)}${rest}`;
      const { price, crid } = { price: 5, crid: 'long' };
      const bid = { id: 'b', impid: '1', price, crid, adomain: ['a.example'], nurl };
      return answer(response, { id: received.body.id, bidid: 'four', seatbid: [{ bid: [bid] }] });
    });
    let length = '/bid/won?&bid=four&end=1'.length;
    await exchange.bidder(bids({ price: 1, crid: 'other' }), { id: 'dsp-2' });
    expect((await sell()).crid).to.equal('long');
    expect(noticesOf(bidder).map(({ path }) => path.slice(-15))).to.deep.equal(['&bid=four&end=1']);
    length -= 1;
    expect((await sell({ id: 'request-2' })).crid).to.equal('other');
    expect(noticesOf(bidder)).to.have.length(1);
  });

  it('is not looked for in all that one bidder sends when five of its winners have none that can be sold', async () => {
    const video = { mimes: ['video/mp4'], w: 640, h: 480, minduration: 1, maxduration: 60, protocols: [2, 3] };
    const good = `<VAST version="3.0"><Ad><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle><Impression>https://i.example/</Impression><Creatives/></InLine></Ad></VAST>`;
    const broken = '<VAST version="3.0"><Ad>';
    const answer = (badOnes: number) => (received: ReceivedRequest, response: ServerResponse) => {
      const bid = Array.from({ length: 400 }, (_, rank) => ({
        id: `${rank}`,
        impid: '1',
        price: 9 - rank / 100,
        crid: `${rank}`,
        adomain: ['a.example'],
        adm: rank < badOnes ? broken : good,
      }));
      const document = JSON.stringify({ id: received.body.id, cur: 'USD', seatbid: [{ bid }] });
      response.writeHead(200, { 'content-type': 'application/json' }).end(document);
    };
    let badOnes = 4;
    await exchange.bidder((received, response) => answer(badOnes)(received, response));
    await exchange.bidder(bids({ price: 1, crid: 'other', adm: good }), { id: 'dsp-2' });
    const soldTo = async () => {
      const response = await exchange.post(bannerRequest({ imp: [{ id: '1', video }] }));
      return (await jsonOf(response)).seatbid[0].bid[0].crid;
    };
    expect(await soldTo()).to.equal('4');
    badOnes = 5;
    expect(await soldTo()).to.equal('other');
    expect(await exchange.counted('dsp', 'dsp-1')).to.include({ wins: 1, 'losses/creative-rejected': 4 + 400 });
  });
});
