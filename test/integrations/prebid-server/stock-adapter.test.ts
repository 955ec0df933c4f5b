import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { againstExchange } from '../../specification/against-exchange.ts';
import type { Market } from '../../specification/market.ts';
import { bids, type ScriptedBid } from '../../support/bidder.ts';
import { launchChromium } from '../../support/chromium.ts';
import { eventually } from '../../support/eventually.ts';
import { type PublisherSite, startPublisherSite } from '../../support/publisher-site.ts';
import { ServerPage, stockPrebidScript } from './server-page.ts';

const BANNER = { banner: { sizes: [[300, 250]] } };
const VIDEO = { video: { context: 'instream', playerSize: [640, 360], mimes: ['video/mp4'], protocols: [2, 3, 7] } };
const VAST =
  '<VAST version="3.0"><Ad id="1"><InLine><AdSystem>a</AdSystem><AdTitle>t</AdTitle><Impression>https://dsp.test/seen</Impression><Creatives/></InLine></Ad></VAST>';
const NATIVE = { ver: '1.2', assets: [{ id: 1, required: 1, title: { len: 80 } }] };
const NATIVE_MARKUP = {
  native: { ver: '1.2', link: { url: 'https://a.test/' }, assets: [{ id: 1, title: { text: 'T' } }] },
};

/** Pages whose stock Prebid.js, without any adapter of a bidder, has the exchange for its Prebid Server. */
againstExchange('the prebidServerBidAdapter of Prebid.js', (exchange) => {
  let browser: Browser;
  let site: PublisherSite;
  let page: ServerPage;

  before(async function () {
    browser = await launchChromium(this);
    site = await startPublisherSite();
    site.files.set('/prebid.js', stockPrebidScript());
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });
  afterEach(() => page?.close());

  const market = async (bid: ScriptedBid, dsp: Record<string, unknown> = {}) =>
    exchange.market({ bidders: [{ script: bids(bid), dsp }] });
  const open = async ({ publisherId }: Market, extPrebid: object = {}) => {
    const { edgeUrl } = exchange.running;
    page = await ServerPage.open(browser, site, edgeUrl, { accountId: publisherId, extPrebid });
  };
  const unit = (code: string, { publisherId }: Market, mediaTypes: object) => ({
    code,
    mediaTypes,
    bids: [{ bidder: 'adexchange', params: { publisherId } }],
  });
  const stats = async ({ publisherId }: Market) =>
    (await exchange.get(`/api/supply/sources/${publisherId}/stats?period=1h`)).body;
  const booked = async (sold: Market, impressions: number) => {
    await eventually('the books to have it', async () => (await stats(sold)).impressions >= impressions);
    return stats(sold);
  };

  it('brings bids to the page, with key values of the server, and bills what is rendered once', async () => {
    const sold = await market({ price: 1.87, adomain: ['brand.example'] });
    await open(sold, { targeting: { pricegranularity: 'dense', includewinners: true, includebidderkeys: true } });
    const [shown, left] = await page.auction([unit('top', sold, BANNER), unit('bottom', sold, BANNER)]);
    expect(shown).to.include({ adUnitCode: 'top', bidderCode: 'adexchange', cpm: 1.87, currency: 'USD' });
    expect(shown).to.include({ mediaType: 'banner', width: 300, height: 250, source: 's2s' });
    // Its own `hb_pb` Prebid.js rounds itself.
    expect(shown!.adserverTargeting).to.include({ hb_pb_adexchange: '1.87', hb_size_adexchange: '300x250' });
    expect(shown!.meta.advertiserDomains).to.deep.equal(['brand.example']);
    expect(left).to.include({ adUnitCode: 'bottom', cpm: 1.87 });
    const [call] = page.calls('/openrtb2/auction');
    expect(call!.headers()['content-type']).to.equal('text/plain');
    expect(page.calls('/openrtb2/auction')).to.have.length(1);
    expect(page.calls('/track/impression'), 'before anything is rendered').to.have.length(0);
    expect(await page.render(shown!)).to.equal('adRenderSucceeded');
    expect(await booked(sold, 1)).to.include({ impressions: 1, revenue_cents: 0.187 });
    await page.render(shown!);
    await eventually('the repeated call', () => page.calls('/track/impression').length >= 2);
    expect(await stats(sold)).to.include({ impressions: 1 });
  });

  it('brings video and native', async () => {
    const ofVideo = await market({ price: 4, adm: VAST, w: undefined, h: undefined });
    await open(ofVideo, { cache: { vastxml: { returnCreative: true } }, targeting: {} });
    const [video] = await page.auction([unit('pre', ofVideo, VIDEO)]);
    expect(video).to.include({ mediaType: 'video', cpm: 4 });
    expect(video!.vastXml).to.contain('/track/impression?');
    expect(video!.adserverTargeting.hb_uuid).to.equal(video!.videoCacheKey);
    expect(await (await fetch(video!.vastUrl)).text()).to.equal(video!.vastXml);
    await page.close();

    const ofNative = await market({ price: 3, adm: JSON.stringify(NATIVE_MARKUP), w: undefined, h: undefined });
    await open(ofNative);
    const adTemplate = '<b>##hb_native_asset_id_1##</b>';
    const [native] = await page.auction([unit('unit', ofNative, { native: { ortb: NATIVE, adTemplate } })]);
    expect(native).to.include({ mediaType: 'native', cpm: 3 });
    expect(await page.render(native!)).to.equal('adRenderSucceeded');
    expect(await booked(ofNative, 1)).to.include({ impressions: 1, revenue_cents: 0.3 });
  });

  it('syncs the buyers of the publisher by the exchange’s own page', async () => {
    const sold = await market({ price: 1 }, { user_sync_url: `${site.origin}/tracked/sync?user=\${USER_ID}` });
    await open(sold);
    await page.auction([unit('top', sold, BANNER)]);
    await eventually('the buyer’s sync', () => page.calls('/tracked/sync').length === 1);
    const [asked] = page.calls('/cookie_sync');
    expect(asked!.postDataJSON()).to.include({ account: sold.publisherId });
    const [sync] = page.calls('/sync');
    expect(new URL(sync!.url()).searchParams.get('publisher_id')).to.equal(sold.publisherId);
    expect(sync!.resourceType()).to.equal('document');
  });

  it('tells the page why an imp has no bid', async () => {
    const sold = await market({ price: 0.01 });
    await open(sold, { returnallbidstatus: true });
    const floored = { ...unit('top', sold, BANNER), ortb2Imp: { bidfloor: 5, bidfloorcur: 'USD' } };
    expect(await page.auction([floored])).to.deep.equal([]);
    await page.page.waitForFunction('statuses.length > 0');
    expect(await page.run('statuses[0]')).to.deep.equal([
      { seat: 'adexchange', nonbid: [{ impid: 'top', statuscode: 0 }] },
    ]);
  });
});
