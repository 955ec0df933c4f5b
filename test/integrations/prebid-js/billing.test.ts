import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { browserScript, linearVast, media } from '../../players/media.ts';
import { againstExchange } from '../../specification/against-exchange.ts';
import { platformMetric } from '../../specification/facts.ts';
import type { Market } from '../../specification/market.ts';
import { bids, type ScriptedBid } from '../../support/bidder.ts';
import { launchChromium } from '../../support/chromium.ts';
import { eventually } from '../../support/eventually.ts';
import { type PublisherSite, startPublisherSite } from '../../support/publisher-site.ts';
import { PrebidPage, prebidScript } from './prebid-page.ts';

const BANNER = { banner: { sizes: [[300, 250]] } };
const VIDEO = { context: 'instream', playerSize: [640, 360], mimes: ['video/mp4'], protocols: [2, 3, 7] };
const NATIVE_MARKUP = {
  native: {
    ver: '1.2',
    link: { url: 'https://advertiser.test/' },
    assets: [
      { id: 1, title: { text: 'A title' } },
      { id: 2, img: { url: 'https://advertiser.test/image.png', w: 300, h: 157 } },
    ],
  },
};
const NATIVE_REQUEST = {
  ver: '1.2',
  assets: [
    { id: 1, required: 1, title: { len: 80 } },
    { id: 2, required: 1, img: { type: 3, w: 300, h: 157 } },
  ],
};

/** Pages with Prebid.js and the adapter: what is rendered is billed, once, and what is not is not. */
againstExchange('Prebid.js: what is billed', (exchange) => {
  let browser: Browser;
  let site: PublisherSite;
  let page: PrebidPage;

  before(async function () {
    browser = await launchChromium(this);
    site = await startPublisherSite();
    site.files.set('/prebid.js', prebidScript());
    site.files.set('/player.js', browserScript('node_modules/fluid-player/src/browser.js'));
    site.files.set('/renderer.js', { type: 'text/javascript', body: '' });
    site.files.set('/ad.mp4', media('ad.mp4'));
    site.files.set('/content.mp4', media('content.mp4'));
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });
  beforeEach(async () => {
    page = await PrebidPage.open(browser, site);
    await page.configure({ adexchange: { host: exchange.running.edgeUrl.replace('http://', '') } });
  });
  afterEach(() => page.close());

  const market = (bid: ScriptedBid) => exchange.market({ bidders: [{ script: bids(bid) }] });
  const unit = (code: string, { publisherId }: Market, mediaTypes: object, more: object = {}) => ({
    code,
    mediaTypes,
    bids: [{ bidder: 'adexchange', params: { publisherId } }],
    ...more,
  });
  const stats = async ({ publisherId }: Market) =>
    (await exchange.get(`/api/supply/sources/${publisherId}/stats?period=1h`)).body;
  /** The books of a publisher once they have that many impressions, each of which was called for once. */
  const booked = async (sold: Market, impressions: number) => {
    await eventually('the books to have it', async () => (await stats(sold)).impressions >= impressions);
    expect(page.calls('/track/impression')).to.have.length(impressions);
    return stats(sold);
  };

  it('bills a banner when it is rendered, and a bid that is not rendered never', async () => {
    const sold = await market({ price: 2, adomain: ['brand.example'] });
    const [shown, left] = await page.auction([unit('top', sold, BANNER), unit('bottom', sold, BANNER)]);
    expect(shown).to.include({ adUnitCode: 'top', mediaType: 'banner', cpm: 2, currency: 'USD', netRevenue: false });
    expect(shown).to.include({ creativeId: 'creative-1', width: 300, height: 250 }).and.not.to.have.property('burl');
    expect(shown!.meta).to.deep.include({ advertiserDomains: ['brand.example'], mediaType: 'banner' });
    expect(shown!.ttl).to.be.within(1, 3_600);
    expect(left).to.include({ adUnitCode: 'bottom', cpm: 2 });
    expect(page.calls('/track/impression'), 'before anything is rendered').to.have.length(0);
    await page.render(shown!);
    expect(await booked(sold, 1)).to.include({ impressions: 1, revenue_cents: 0.2 });
    await page.render(shown!);
    await eventually('the repeated call', () => page.calls('/track/impression').length === 2);
    await eventually(
      'its count',
      async () => (await platformMetric(exchange, 'exchange_impression_calls_total', 'outcome="repeated"')) === 1,
    );
    expect(await stats(sold)).to.include({ impressions: 1, revenue_cents: 0.2 });
  });

  it('tells the bidder of its win and the exchange of the view of what is rendered', async () => {
    const sold = await market({ price: 2 });
    const [bidder] = sold.bidders;
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a macro of OpenRTB
    bidder!.script = bids({ price: 2, nurl: `${bidder!.origin}/won?p=${'${AUCTION_PRICE}'}&a=b%2Fc` });
    await page.configure({ bidViewabilityIO: { enabled: true } });
    const [bid] = await page.auction([unit('place', sold, BANNER), unit('bottom', sold, BANNER)]);
    await page.render(bid!);
    expect(await booked(sold, 1)).to.include({ impressions: 1 });
    const viewability = async () =>
      (await exchange.get(`/api/scout/viewability?publisher_id=${sold.publisherId}&period=1h`)).body;
    await eventually('the view', async () => (await viewability()).viewable === 1);
    expect(await viewability()).to.include({ impressions: 1, measurable: 1, viewable: 1 });
    const [won, ...more] = bidder!.received.filter(({ path }) => path.startsWith('/won'));
    expect(won!.path).to.equal('/won?p=2&a=b%2Fc');
    expect(more).to.deep.equal([]);
  });

  it('bills a banner whose billing is deferred when the page says so', async () => {
    const sold = await market({ price: 2 });
    const [bid] = await page.auction([unit('top', sold, BANNER, { deferBilling: true })]);
    await page.run(`show(${JSON.stringify(bid!.adId)})`);
    await page.page.waitForFunction("heard.includes('bidWon')");
    expect(await page.heard('adRenderSucceeded')).to.equal(false);
    expect(page.calls('/track/impression'), 'before its billing').to.have.length(0);
    await page.run(`pbjs.triggerBilling({ adId: ${JSON.stringify(bid!.adId)} })`);
    expect(await booked(sold, 1)).to.include({ impressions: 1, revenue_cents: 0.2 });
    expect(await page.heard('adRenderSucceeded')).to.equal(true);
  });

  describe('native', () => {
    const native = (ortb: object) => ({
      native: { ortb, adTemplate: '<a href="##hb_native_linkurl##"><b>##hb_native_asset_id_1##</b></a>' },
    });
    const ofNative = { price: 3, adm: JSON.stringify(NATIVE_MARKUP), w: undefined, h: undefined };

    it('bills a unit when it is rendered', async () => {
      const sold = await market(ofNative);
      const [bid, left] = await page.auction([
        unit('unit', sold, native(NATIVE_REQUEST)),
        unit('other', sold, native(NATIVE_REQUEST)),
      ]);
      expect(bid).to.include({ mediaType: 'native', cpm: 3 });
      expect(left).to.include({ mediaType: 'native', cpm: 3 });
      await page.render(bid!);
      expect(await booked(sold, 1)).to.include({ impressions: 1, revenue_cents: 0.3 });
      const [frame] = await page.page.locator('#place iframe').all();
      expect(await frame!.contentFrame().locator('b').textContent()).to.equal('A title');
    });

    it('bills a unit whose page asks for other events alone', async () => {
      const sold = await market(ofNative);
      const asked = { ...NATIVE_REQUEST, eventtrackers: [{ event: 2, methods: [1] }] };
      const [bid] = await page.auction([unit('unit', sold, native(asked))]);
      await page.render(bid!);
      expect(await booked(sold, 1)).to.include({ impressions: 1, revenue_cents: 0.3 });
    });
  });

  describe('video', () => {
    const PLAYED_MS = 20_000;
    const spot = () => {
      const media = { mediaUrl: `${site.origin}/ad.mp4`, mediaType: 'video/mp4', duration: '00:00:03' };
      const adm = linearVast({ ...media, trackers: `${site.origin}/tracked/` });
      return { price: 4, adm, crid: 'spot', w: undefined, h: undefined };
    };

    it('bills an instream ad when a player shows it', async () => {
      const sold = await market(spot());
      await page.configure({ cache: { useLocal: true } });
      const [bid, left] = await page.auction([
        unit('pre', sold, { video: VIDEO }),
        unit('mid', sold, { video: VIDEO }),
      ]);
      for (const one of [bid!, left!]) expect(one).to.include({ mediaType: 'video', cpm: 4 });
      expect(bid!.vastUrl, 'a copy that the page keeps').to.match(/^blob:/);
      expect(page.calls('/track/impression'), 'before anything is played').to.have.length(0);
      await page.run(`addPlayer(); play('player', ${JSON.stringify(bid!.vastUrl)})`);
      await eventually('the player to play', () => site.hits('/tracked/start') > 0, { timeoutMs: PLAYED_MS });
      await page.run(`pbjs.markWinningBidAsUsed({ adId: ${JSON.stringify(bid!.adId)}, events: true })`);
      expect(await page.heard('bidWon')).to.equal(true);
      expect(await booked(sold, 1)).to.include({ impressions: 1, revenue_cents: 0.4 });
    });

    it('bills an outstream ad when the ad unit’s renderer plays it', async () => {
      const sold = await market(spot());
      const outstream = { video: { ...VIDEO, context: 'outstream', plcmt: 4 } };
      const described = JSON.stringify([unit('story', sold, outstream)]);
      const render =
        "(bid) => { addPlayer(); play('player', URL.createObjectURL(new Blob([bid.vastXml], { type: 'text/xml' }))); }";
      const [bid] = await page.auction(
        `${described}.map((unit) => ({ ...unit, renderer: { url: '/renderer.js', render: ${render}, options: {}, backupOnly: false } }))`,
      );
      expect(bid).to.include({ mediaType: 'video', cpm: 4 });
      expect(page.calls('/track/impression'), 'before anything is played').to.have.length(0);
      const started = site.hits('/tracked/start');
      await page.render(bid!);
      await eventually('the renderer to play', () => site.hits('/tracked/start') > started, { timeoutMs: PLAYED_MS });
      expect(await booked(sold, 1)).to.include({ impressions: 1, revenue_cents: 0.4 });
    });
  });

  it('bills an ad unit of several formats for what came', async () => {
    const sold = await market({ price: 2 });
    const formats = { ...BANNER, video: VIDEO, native: { ortb: NATIVE_REQUEST } };
    const [bid] = await page.auction([unit('any', sold, formats)]);
    const imp = sold.bidders[0]!.received.at(-1)!.body.imp[0];
    expect(imp).to.include.keys('banner', 'video', 'native');
    expect(bid).to.include({ mediaType: 'banner', cpm: 2 });
    await page.render(bid!);
    expect(await booked(sold, 1)).to.include({ impressions: 1, revenue_cents: 0.2 });
  });
});
