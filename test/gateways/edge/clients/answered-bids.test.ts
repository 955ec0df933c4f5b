// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are OpenRTB macros
import { expect } from 'chai';
import { bids, type ScriptedBid } from '#test/support/bidder';
import { bannerRequest, EdgeUnderTest, jsonOf } from '#test/support/edge';
import { pixelOf } from '#test/support/pixel-of';

const VAST =
  '<VAST version="3.0"><Ad id="1"><InLine><AdSystem>t</AdSystem><AdTitle>t</AdTitle><Impression>https://d.test/i</Impression><Creatives/></InLine></Ad></VAST>';
const PAGE = { origin: 'https://site.test', 'content-type': 'text/plain' };

const banner = { w: 300, h: 250 };
const video = { mimes: ['video/mp4'], protocols: [3], w: 640, h: 480, minduration: 5, maxduration: 30 };
const audio = { mimes: ['audio/mp4'], protocols: [3], minduration: 5, maxduration: 30 };
const nativeRequest = { ver: '1.2', assets: [{ id: 1, required: 1, title: { len: 90 } }] };
const native = { request: JSON.stringify(nativeRequest), ver: '1.2' };
const nativeAd = { ver: '1.2', assets: [{ id: 1, title: { text: 'An ad' } }], link: { url: 'https://a.test/' } };
const played = { adm: VAST, w: undefined, h: undefined };

describe('a bid in the answer', () => {
  let exchange: EdgeUnderTest;
  beforeEach(async () => {
    exchange = await new EdgeUnderTest({ renderWindowMs: 600_000 }).start();
  });
  afterEach(() => exchange.close());

  async function sold(imp: object, bid: Partial<ScriptedBid>, headers: Readonly<Record<string, string>> = {}) {
    await exchange.bidder(bids({ price: 3, ...bid }));
    const response = await exchange.post(bannerRequest({ imp: [{ id: '1', ...imp }] }), headers);
    expect(response.status).to.equal(200);
    return (await jsonOf(response)).seatbid[0].bid[0];
  }

  for (const [what, imp, bid, mtype] of [
    ['a banner', { banner }, {}, 1],
    ['a video', { video }, played, 2],
    ['an audio ad', { audio }, played, 3],
    ['a native ad', { native }, { adm: JSON.stringify(nativeAd) }, 4],
    ['a banner of an imp of all formats', { banner, video, audio, native }, {}, 1],
    ['a video of an imp of all formats', { banner, video, audio, native }, played, 2],
    ['an audio ad of an imp without video', { banner, audio, native }, played, 3],
    ['an audio ad that says so of an imp of all formats', { video, audio }, { ...played, mtype: 3 }, 3],
    ['a native ad of an imp of all formats', { banner, video, native }, { adm: JSON.stringify(nativeAd) }, 4],
  ] as const) {
    it(`says that it is ${what}, and how long its impression counts`, async () => {
      expect(await sold(imp, bid)).to.include({ mtype, exp: 600 });
    });
  }

  it('keeps a shorter exp of its bidder, and neither a longer one nor none', async () => {
    for (const [exp, answered] of [
      [300, 300],
      [86_400, 600],
      [0, 600],
      [-1, 600],
    ] as const) {
      expect((await sold({ banner }, { exp })).exp, String(exp)).to.equal(answered);
    }
  });

  it('has the form of the native request, wrapped or not, whatever the bidder sends', async () => {
    const wrapped = { request: JSON.stringify({ native: nativeRequest }), ver: '1.0' };
    const pixels = [{ imptrackers: ['https://d.test/i'] }, {}];
    for (const asked of [wrapped, native]) {
      for (const more of pixels) {
        for (const ad of [{ ...nativeAd, ...more }, { native: { ...nativeAd, ...more } }]) {
          const { adm, burl } = await sold({ native: asked }, { adm: JSON.stringify(ad) });
          const answered = JSON.parse(adm);
          if (asked === wrapped) expect(answered).to.have.all.keys('native');
          const { assets, link } = asked === wrapped ? answered.native : answered;
          expect({ assets, link }).to.deep.equal({ assets: nativeAd.assets, link: nativeAd.link });
          expect(adm).to.contain(pixelOf(burl));
        }
      }
    }
  });

  it('is missing, and the answer says why, where the request takes no US dollars', async () => {
    await exchange.bidder(bids({ price: 3 }));
    const refused = await exchange.post(bannerRequest({ cur: ['EUR', 'GBP'] }), PAGE);
    expect(refused.status).to.equal(204);
    expect(refused.headers.get('x-no-fill-reason')).to.equal('unsupported-currency');
    expect(refused.headers.get('x-no-fill-detail')).to.equal(
      'cur must name USD, or a currency that this exchange has a rate of (GET /api/currency-rates).',
    );
    expect(refused.headers.get('access-control-expose-headers')).to.contain('X-No-Fill-Reason');
    const sold = await exchange.post(bannerRequest({ cur: ['EUR', 'USD'] }));
    expect(sold.status).to.equal(200);
    expect(sold.headers.get('x-no-fill-reason')).to.equal(null);
    const imp = [{ id: '1', banner, bidfloor: 1, bidfloorcur: 'EUR' }];
    const floor = await exchange.post(bannerRequest({ imp }));
    expect(floor.status).to.equal(403);
    expect((await jsonOf(floor)).error.message)
      .to.contain('bidfloorcur')
      .and.contain('no currency is converted');
  });

  describe('of a bidder with a nurl', () => {
    const nurl = 'https://dsp.test/won?p=${AUCTION_PRICE}&i=${AUCTION_IMP_ID}';

    it('has none of ours where a page plays it, and a banner there has one', async () => {
      for (const imp of [{ video }, { audio }]) {
        for (const given of [{ nurl }, {}]) {
          expect(await sold(imp, { ...played, ...given }, PAGE)).to.not.have.property('nurl');
        }
      }
      expect((await sold({ banner }, { nurl }, PAGE)).nurl).to.match(/^https:\/\/edge\.test\/track\/win\?/);
    });

    it('has ours where a server asks, for all formats', async () => {
      for (const [imp, bid] of [
        [{ video }, played],
        [{ audio }, played],
        [{ banner }, {}],
      ] as const) {
        expect((await sold(imp, { ...bid, nurl })).nurl).to.match(/^https:\/\/edge\.test\/track\/win\?.*won/);
        expect((await sold(imp, bid)).nurl).to.match(/^https:\/\/edge\.test\/track\/win\?/);
      }
    });

    it('names it in its tracking URLs, so that the first billed impression can tell it', async () => {
      const { burl, adm } = await sold({ video }, { ...played, nurl }, PAGE);
      const told = new URL(burl).searchParams.get('won');
      expect(told).to.equal('https://dsp.test/won?p=3&i=1');
      expect(adm).to.contain(encodeURIComponent(told!));
    });

    it('has none where its nurl is too long for tracking URLs either, and the exchange calls that at once', async () => {
      const bidder = await exchange.bidder(bids({ price: 3, ...played }));
      // Of the second each character is six in a URL, longer than any server takes.
      for (const [index, long] of ['x'.repeat(2_000), 'ж'.repeat(1_400)].entries()) {
        bidder.script = bids({ price: 3, ...played, nurl: `${bidder.origin}/won?p=\${AUCTION_PRICE}&x=${long}` });
        const request = bannerRequest({ id: `long-${index}`, imp: [{ id: '1', video }] });
        const [bid] = (await jsonOf(await exchange.post(request, PAGE))).seatbid[0].bid;
        expect(bid).to.not.have.property('nurl');
        expect(bid.burl).to.not.contain('&won=');
        const notices = await bidder.waitForRequests('/won', index + 1);
        expect(notices[index]!.path).to.contain('p=3&');
      }
    });
  });
});
