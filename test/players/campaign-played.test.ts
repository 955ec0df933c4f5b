import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { againstExchange } from '../specification/against-exchange.ts';
import { campaignOf, type DelegateMarket, delegateMarket } from '../specification/delegate-market.ts';
import { BROWSER_USER_AGENT } from '../support/browser.ts';
import { launchChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { type PublisherSite, startPublisherSite } from '../support/publisher-site.ts';
import { browserScript, linearVast, media } from './media.ts';

/**
 * From a buyer's upload to a viewer's screen: fetched, hosted here, rendered, played by a player that knows only VAST.
 */
againstExchange('a campaign of a delegate', (exchange) => {
  let browser: Browser;
  let page: PublisherSite;
  /** Of the buyer. */
  let adServer: PublisherSite;
  let market: DelegateMarket;

  before(async function () {
    browser = await launchChromium(this);
    page = await startPublisherSite();
    page.files.set('/player.js', browserScript('node_modules/fluid-player/src/browser.js'));
    page.files.set('/content.mp4', media('content.mp4'));
    adServer = await startPublisherSite();
    adServer.files.set('/ad.mp4', media('ad.mp4'));
    const spot = { mediaUrl: `${adServer.origin}/ad.mp4`, mediaType: 'video/mp4', duration: '00:00:03' };
    const document = linearVast({ ...spot, trackers: `${adServer.origin}/tracked/` });
    adServer.files.set('/spot.xml', { type: 'application/xml', body: document });
    market = await delegateMarket(exchange);
  });
  after(async () => {
    await browser?.close();
    await page?.close();
    await adServer?.close();
  });

  it('is played from this exchange alone, and what it spends is one impression', async () => {
    const dspId = await market.delegate();
    const creative = { creative_id: 'spot', vast_url: `${adServer.origin}/spot.xml` };
    await market.upload(dspId, [campaignOf('film', { creative, bidding: { base_cpm: 5 } })]);
    const { publisherId } = market.market;
    // This exchange is on plain HTTP.
    const vastTag = `${exchange.running.edgeUrl}/vast?site_id=${publisherId}&w=640&h=360&version=3.0&wrapper=0&secure=0`;
    const asked = () =>
      fetch(vastTag, { headers: { 'user-agent': BROWSER_USER_AGENT } }).then((answer) => answer.text());
    const vast = await eventually('the campaign to bid', async () => {
      const document = await asked();
      return document.includes('<Ad') && document;
    });
    expect(vast)
      .to.match(/<VAST version="3\.0"/)
      .and.match(/\/creative\/[0-9a-f]{64}/);
    expect(vast).not.to.contain(`${adServer.origin}/ad.mp4`);
    const fetched = adServer.hits('/ad.mp4');

    const options = {
      layoutControls: { autoPlay: true, mute: true },
      vastOptions: { adList: [{ roll: 'preRoll', vastTag }] },
    };
    const tab = await browser.newPage({ userAgent: BROWSER_USER_AGENT, viewport: { width: 640, height: 360 } });
    await tab.goto(
      page.page(
        '/watch',
        `<!doctype html><body style="margin:0"><video id="player" width="640" height="360">
        <source src="/content.mp4" type="video/mp4"></video><script src="/player.js"></script>
        <script>fluidPlayer('player', ${JSON.stringify(options)})</script>`,
      ),
    );
    const heard = (event: string) =>
      eventually(`the buyer to hear ${event}`, () => adServer.hits(`/tracked/${event}`) > 0, { timeoutMs: 60_000 });
    await heard('midpoint');
    await tab.screenshot({ path: `${process.env.SCREENSHOTS ?? '/tmp'}/campaign-played.png` });
    await heard('complete');
    await tab.close();

    const stats = async () => (await exchange.get(`/api/demand/sources/${dspId}/stats?period=1h`)).body;
    await eventually('the ledger to show the impression', async () => (await stats()).impressions === 1);
    expect(await stats()).to.include({ impressions: 1, spend_cents: 0.5 });
    for (const event of ['impression', 'start', 'complete']) {
      expect(adServer.hits(`/tracked/${event}`), event).to.equal(1);
    }
    expect(adServer.hits('/ad.mp4'), 'viewers never meet the buyer’s server').to.equal(fetched);
  });
});
