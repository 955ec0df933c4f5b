import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { againstExchange } from '../specification/against-exchange.ts';
import { platformMetric } from '../specification/facts.ts';
import type { Market } from '../specification/market.ts';
import { bids, noBid } from '../support/bidder.ts';
import { BROWSER_USER_AGENT } from '../support/browser.ts';
import { launchChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { type PublisherSite, startPublisherSite } from '../support/publisher-site.ts';
import { browserScript, linearVast, media } from './media.ts';
import { playerPage } from './player-page.ts';

const PLAYED_MS = 20_000;

/** Fluid Player, an open-source player that knows nothing of this exchange but a VAST URL. */
againstExchange('a video player', (exchange) => {
  let browser: Browser;
  let site: PublisherSite;
  let market: Market;

  before(async function () {
    browser = await launchChromium(this);
    site = await startPublisherSite();
    site.files.set('/player.js', browserScript('node_modules/fluid-player/src/browser.js'));
    site.files.set('/ad.mp4', media('ad.mp4'));
    site.files.set('/content.mp4', media('content.mp4'));
    market = await exchange.market({ bidders: [{ script: noBid() }] });
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  const watched = () =>
    // The bidder of this test is on plain HTTP.
    playerPage(`${exchange.running.edgeUrl}/vast?site_id=${market.publisherId}&w=640&h=360&secure=0`);

  it('plays an ad before its content, and the impression is booked once', async () => {
    const spot = { mediaUrl: `${site.origin}/ad.mp4`, mediaType: 'video/mp4', duration: '00:00:03' };
    const adm = linearVast({ ...spot, trackers: `${site.origin}/tracked/` });
    market.bidders[0]!.script = bids({ price: 4, adm, crid: 'spot', w: undefined, h: undefined });
    const page = await browser.newPage({ userAgent: BROWSER_USER_AGENT, viewport: { width: 640, height: 360 } });
    await page.goto(site.page('/watch', watched()));
    const heard = (event: string) =>
      eventually(`the player to track ${event}`, () => site.hits(`/tracked/${event}`) > 0, { timeoutMs: PLAYED_MS });
    await heard('firstQuartile');
    await page.screenshot({ path: `${process.env.SCREENSHOTS ?? '/tmp'}/player-ad.png` });
    await heard('complete');
    await page.waitForFunction(
      "[...document.querySelectorAll('video')].some((video) => /content/.test(video.currentSrc) && video.currentTime > 0.2)",
    );
    await page.screenshot({ path: `${process.env.SCREENSHOTS ?? '/tmp'}/player-content.png` });
    await page.close();

    const stats = async () => (await exchange.get(`/api/supply/sources/${market.publisherId}/stats?period=1h`)).body;
    await eventually('the ledger to show the impression', async () => (await stats()).impressions === 1);
    expect(await stats()).to.include({ impressions: 1, revenue_cents: 0.4 });
    for (const event of ['impression', 'start', 'complete']) expect(site.hits(`/tracked/${event}`), event).to.equal(1);
    expect(await platformMetric(exchange, 'exchange_impression_calls_total', 'outcome="repeated"')).to.equal(0);
  });

  it('goes on with its content where there is no ad', async () => {
    market.bidders[0]!.script = noBid();
    const page = await browser.newPage({ userAgent: BROWSER_USER_AGENT, viewport: { width: 640, height: 360 } });
    await page.goto(site.page('/watch', watched()));
    await page.waitForFunction("document.querySelector('video').currentTime > 0.2");
    await page.close();
  });
});
