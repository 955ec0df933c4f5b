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

/** What a podcast's page does: fetch the break, play it in the page's own `<audio>`, call the trackers. */
const BREAK = `
  const audio = document.querySelector('audio');
  const { VASTClient, VASTTracker } = bundled;
  new VASTClient().get(vastUrl, { withCredentials: true }).then(({ ads }) => {
    const linear = ads[0].creatives.find(({ type }) => type === 'linear');
    const tracker = new VASTTracker(null, ads[0], linear);
    audio.addEventListener('playing', () => tracker.trackImpression(), { once: true });
    audio.addEventListener('timeupdate', () => tracker.setProgress(audio.currentTime));
    audio.addEventListener('ended', () => tracker.complete());
    audio.src = linear.mediaFiles[0].fileURL;
    audio.play();
  });`;

againstExchange('an audio break', (exchange) => {
  let browser: Browser;
  let site: PublisherSite;
  let market: Market;
  before(async function () {
    browser = await launchChromium(this);
    site = await startPublisherSite();
    site.files.set('/vast-client.js', browserScript('node_modules/@dailymotion/vast-client/dist/vast-client.js'));
    site.files.set('/ad.mp3', media('ad.mp3'));
    market = await exchange.market({ bidders: [{ script: noBid() }] });
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  it('plays to its end in a page, and the impression is booked once', async () => {
    const spot = { mediaUrl: `${site.origin}/ad.mp3`, mediaType: 'audio/mpeg', duration: '00:00:02' };
    const adm = linearVast({ ...spot, trackers: `${site.origin}/tracked/` });
    market.bidders[0]!.script = bids({ price: 4, adm, mtype: 3, crid: 'spot', w: undefined, h: undefined });
    const url = `${exchange.running.edgeUrl}/ad?publisher_id=${market.publisherId}&format=audio&secure=0`;
    const page = await browser.newPage({ userAgent: BROWSER_USER_AGENT });
    await page.goto(
      site.page(
        '/listen',
        `<!doctype html><audio controls></audio><script src="/vast-client.js"></script>
        <script>const vastUrl = ${JSON.stringify(url)};${BREAK}</script>`,
      ),
    );
    await eventually('the break to end', () => site.hits('/tracked/complete') > 0, { timeoutMs: 60_000 });
    await page.close();
    const stats = async () => (await exchange.get(`/api/supply/sources/${market.publisherId}/stats?period=1h`)).body;
    await eventually('the ledger to show the impression', async () => (await stats()).impressions === 1);
    for (const event of ['impression', 'start', 'complete']) expect(site.hits(`/tracked/${event}`), event).to.equal(1);
    expect(await platformMetric(exchange, 'exchange_impression_calls_total', 'outcome="repeated"')).to.equal(0);
  });
});
