import { VASTClient, VASTTracker } from '@dailymotion/vast-client';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { againstExchange } from '../specification/against-exchange.ts';
import { platformMetric } from '../specification/facts.ts';
import type { Market } from '../specification/market.ts';
import { noBid } from '../support/bidder.ts';
import { BROWSER_USER_AGENT } from '../support/browser.ts';
import { launchChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { type PublisherSite, startPublisherSite } from '../support/publisher-site.ts';
import { spotBids } from '../support/spot.ts';
import { browserScript, linearVast, media } from './media.ts';

/** What others play a break by: the order of its ads, and each one's trackers once. */
againstExchange('a break of several ads', (exchange) => {
  let site: PublisherSite;
  let market: Market;
  before(async () => {
    site = await startPublisherSite();
    site.files.set('/ad.mp4', media('ad.mp4'));
    market = await exchange.market({ bidders: [{ script: noBid() }, { script: noBid() }] });
  });
  after(() => site.close());

  const spot = (name: string) =>
    linearVast({
      mediaUrl: `${site.origin}/ad.mp4`,
      mediaType: 'video/mp4',
      duration: '00:00:03',
      trackers: `${site.origin}/tracked/${name}/`,
    });
  const bid = (name: string, price: number, adm = spot(name)) => ({ name, price, seconds: 3, bid: { adm } });
  const hits = (name: string) =>
    ['impression', 'start', 'complete'].map((event) => site.hits(`/tracked/${name}/${event}`));
  const tag = (query: string) =>
    `${exchange.running.edgeUrl}/vast?site_id=${market.publisherId}&poddur=9&maxseq=3&secure=0${query}`;
  const impressions = async () =>
    (await exchange.get(`/api/supply/sources/${market.publisherId}/stats?period=1h`)).body.impressions as number;

  it('is read in its order by a VAST parser, wrappers followed, each tracker called once', async () => {
    site.files.set('/inline', { type: 'application/xml', body: spot('wrapped') });
    const wrapper = `<VAST version="2.0"><Ad id="w"><Wrapper><AdSystem>a bidder</AdSystem>
      <VASTAdTagURI><![CDATA[${site.origin}/inline]]></VASTAdTagURI>
      <Impression><![CDATA[${site.origin}/tracked/wrapper/impression]]></Impression>
      <Creatives><Creative><Linear><TrackingEvents><Tracking event="start"><![CDATA[${site.origin}/tracked/wrapper/start]]></Tracking>
      <Tracking event="complete"><![CDATA[${site.origin}/tracked/wrapper/complete]]></Tracking></TrackingEvents></Linear></Creative></Creatives>
      </Wrapper></Ad></VAST>`;
    market.bidders[0]!.script = spotBids(bid('a', 3), bid('w', 2, wrapper));
    market.bidders[1]!.script = spotBids(bid('b', 1));
    const { ads } = await new VASTClient().get(tag(`&ua=${encodeURIComponent(BROWSER_USER_AGENT)}`), {
      allowMultipleAds: true,
    });
    expect(ads.map(({ sequence }: { sequence: string }) => Number(sequence))).to.deep.equal([1, 2, 3]);
    for (const ad of ads) {
      const linear = ad.creatives.find(({ type }: { type: string }) => type === 'linear');
      expect(linear.duration).to.equal(3);
      const ours = ad.impressionURLTemplates.filter(({ url }: { url: string }) => url.includes('/track/impression?'));
      expect(ours).to.have.length(1);
      const tracker = new VASTTracker(null, ad, linear);
      const urls: string[] = ad.impressionURLTemplates.map(({ url }: { url: string }) => url);
      for (const event of ['start', 'complete']) {
        tracker.on(event, (told: { trackingURLTemplates: readonly (string | { url: string })[] }) => {
          urls.push(...told.trackingURLTemplates.map((url) => (typeof url === 'string' ? url : url.url)));
        });
      }
      tracker.setProgress(1);
      tracker.complete();
      // The library calls trackers by an image of the page, which there is none of here.
      for (const url of urls) await (await fetch(url)).arrayBuffer();
    }
    for (const name of ['a', 'wrapped', 'wrapper', 'b']) expect(hits(name), name).to.deep.equal([1, 1, 1]);
    await eventually('the ledger to show three impressions', async () => (await impressions()) === 3);
    expect(await platformMetric(exchange, 'exchange_impression_calls_total', 'outcome="repeated"')).to.equal(0);
  });

  describe('in Fluid Player', () => {
    let browser: Browser;
    before(async function () {
      browser = await launchChromium(this);
      site.files.set('/player.js', browserScript('node_modules/fluid-player/src/browser.js'));
      site.files.set('/content.mp4', media('content.mp4'));
    });
    after(() => browser?.close());

    it('plays one ad after the other before the content, and each is booked once', async () => {
      const before = await impressions();
      market.bidders[0]!.script = spotBids(bid('one', 3), bid('three', 1));
      market.bidders[1]!.script = spotBids(bid('two', 2));
      const options = {
        layoutControls: { autoPlay: true, mute: true },
        vastOptions: {
          adList: [{ roll: 'preRoll', vastTag: tag('&version=3.0&wrapper=0') }],
        },
      };
      const page = await browser.newPage({ userAgent: BROWSER_USER_AGENT, viewport: { width: 640, height: 360 } });
      await page.goto(
        site.page(
          '/watch',
          `<!doctype html><body style="margin:0"><video id="player" width="640" height="360">
          <source src="/content.mp4" type="video/mp4"></video><script src="/player.js"></script>
          <script>fluidPlayer('player', ${JSON.stringify(options)})</script>`,
        ),
      );
      for (const [name, earlier] of [
        ['one', 0],
        ['two', 1],
        ['three', 2],
      ] as const) {
        await eventually(`the player to start ${name}`, () => site.hits(`/tracked/${name}/start`) > 0, {
          timeoutMs: 60_000,
        });
        const ended = ['one', 'two', 'three'].filter((other) => site.hits(`/tracked/${other}/complete`) > 0);
        expect(ended).to.have.length(earlier);
        await page.screenshot({ path: `${process.env.SCREENSHOTS ?? '/tmp'}/pod-${name}.png` });
      }
      await page.waitForFunction(
        "[...document.querySelectorAll('video')].some((video) => /content/.test(video.currentSrc) && video.currentTime > 0.2)",
        undefined,
        { timeout: 30_000 },
      );
      await page.close();
      for (const name of ['one', 'two', 'three']) expect(hits(name), name).to.deep.equal([1, 1, 1]);
      await eventually('the ledger to show them', async () => (await impressions()) === before + 3);
      expect(await platformMetric(exchange, 'exchange_impression_calls_total', 'outcome="repeated"')).to.equal(0);
    });
  });
});
