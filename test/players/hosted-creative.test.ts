import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { readVast } from '#exchange/vast/read-vast';
import { bringSamples } from '../exchange/vast/brought-samples.ts';
import { describeSamples, type VastSample } from '../exchange/vast/samples.ts';
import { trackersIn } from '../exchange/vast/trackers.ts';
import { againstExchange } from '../specification/against-exchange.ts';
import { platformMetric } from '../specification/facts.ts';
import type { Market } from '../specification/market.ts';
import { bids } from '../support/bidder.ts';
import { BROWSER_USER_AGENT } from '../support/browser.ts';
import { launchChromium } from '../support/chromium.ts';
import { type CreativeOrigin, startCreativeOrigin } from '../support/creative-origin.ts';
import { eventually } from '../support/eventually.ts';
import { type PublisherSite, startPublisherSite } from '../support/publisher-site.ts';
import { areSchemasPresent, schemaFaults } from '../support/vast-schemas.ts';
import { browserScript, linearVast, media } from './media.ts';
import { playerPage } from './player-page.ts';

const VIDEO = { mimes: ['video/mp4', 'video/x-flv'], w: 640, h: 360, protocols: [2, 3, 5, 6, 7, 8, 11, 12, 13, 14] };
const STABLE = { creatives: 'stable' };
/** The scan follows the first sale within seconds; the machine may be busy. */
const HOSTED_SOON = { timeoutMs: 60_000 };

againstExchange('a creative of a bidder', (exchange) => {
  /** Resolves when the creative is hosted, with its entry in the list. */
  const hosted = async (crid: string) => {
    let found: Record<string, unknown> | undefined;
    await eventually(
      `${crid} to be hosted`,
      async () => {
        const { body } = await exchange.get(`/api/creatives?q=${encodeURIComponent(crid)}`);
        found = body.creatives.find((one: { crid: string }) => one.crid === crid);
        return found?.hosting_status !== undefined && found.hosting_status !== 'waiting';
      },
      HOSTED_SOON,
    );
    return found!;
  };

  describeSamples('that is VAST', ({ all, refused }) => {
    let market: Market;
    let origin: CreativeOrigin;
    let brought: (sample: VastSample) => string;
    before(async () => {
      origin = await startCreativeOrigin();
      brought = bringSamples(origin, all);
      market = await exchange.market({ bidders: [{ script: bids({ price: 4 }), dsp: STABLE }] });
    });
    after(() => origin?.close());

    it('is unwrapped and hosted from its second sale on, schema-valid', async function () {
      this.timeout(300_000);
      const sell = async (adm: string, crid: string): Promise<string | null> => {
        market.bidders[0]!.script = bids({ price: 4, adm, crid, mtype: 2, w: undefined, h: undefined });
        const { status, body } = await market.ask({ imp: [{ id: '1', video: VIDEO, secure: 0 }] });
        return status === 200 ? body.seatbid[0].bid[0].adm : null;
      };
      const served: { name: string; version: string; adm: string }[] = [];
      for (const sample of all) {
        if (refused[sample.name] !== undefined) continue;
        const adm = brought(sample);
        const first = await sell(adm, sample.name);
        if (first === null) throw new Error(`${sample.name} was not sold`);
        expect(first, `${sample.name}: the first sale does not wait`).to.include(origin.origin);
        expect(await hosted(sample.name), sample.name).to.include({ hosting_status: 'hosted', stability: 'stable' });
        // The first sale after it lets the edge read the file.
        let second = '';
        await eventually(
          `${sample.name} to be served from our hosts`,
          async () => {
            second = (await sell(adm, sample.name)) ?? '';
            return !second.includes(origin.origin);
          },
          HOSTED_SOON,
        );
        expect(second, sample.name).to.include('/creative/').and.to.include('/track/impression?');
        expect(second, sample.name).to.not.include('VASTAdTagURI');
        const read = readVast(second);
        expect(read.ok && read.ads.every(({ kind }) => kind === 'inline'), sample.name).to.equal(true);
        const urls = trackersIn(second);
        for (const tracker of trackersIn(adm).filter((one) => one.startsWith('Impression '))) {
          expect(urls, sample.name).to.include(tracker);
        }
        if (read.ok) served.push({ name: sample.name, version: read.version, adm: second });
      }
      expect(served).to.have.length(all.length - Object.keys(refused).length);
      if (!areSchemasPresent()) return;
      for (const version of ['2.0', '3.0', '4.0'] as const) {
        const documents = served.filter((one) => one.version === version);
        expect(documents).to.not.have.length(0);
        expect(
          await schemaFaults(
            version,
            documents.map(({ adm }) => adm),
          ),
          version,
        ).to.deep.equal([]);
      }
    });
  });

  describe('in a video player', () => {
    let browser: Browser;
    let site: PublisherSite;
    let market: Market;
    before(async function () {
      browser = await launchChromium(this);
      site = await startPublisherSite();
      site.files.set('/player.js', browserScript('node_modules/fluid-player/src/browser.js'));
      site.files.set('/ad.mp4', media('ad.mp4'));
      site.files.set('/content.mp4', media('content.mp4'));
    });
    after(async () => {
      await browser?.close();
      await site?.close();
    });

    it('plays from our hosts, and every tracker of every wrapper is called once, with this auction’s values', async () => {
      const events = ['start', 'firstQuartile', 'complete'];
      const tracked = (level: string, event: string) => `${site.origin}/tracked/${level}/${event}?p=\${AUCTION_PRICE}`;
      const wrapper = (level: string, next: string) => `<VAST version="3.0"><Ad id="${level}"><Wrapper>
        <AdSystem>a bidder</AdSystem><VASTAdTagURI><![CDATA[${site.origin}${next}]]></VASTAdTagURI>
        <Impression><![CDATA[${tracked(level, 'impression')}]]></Impression><Creatives><Creative><Linear><TrackingEvents>
        ${events.map((event) => `<Tracking event="${event}"><![CDATA[${tracked(level, event)}]]></Tracking>`).join('')}
        </TrackingEvents></Linear></Creative></Creatives></Wrapper></Ad></VAST>`;
      const spot = linearVast({
        mediaUrl: `${site.origin}/ad.mp4`,
        mediaType: 'video/mp4',
        duration: '00:00:03',
        trackers: `${site.origin}/tracked/spot/`,
      });
      site.files.set('/outer', { type: 'application/xml', body: wrapper('inner', '/inner') });
      site.files.set('/inner', { type: 'application/xml', body: spot });
      const script = bids({ price: 4, adm: wrapper('outer', '/outer'), crid: 'wrapped', w: undefined, h: undefined });
      market = await exchange.market({ bidders: [{ script, dsp: STABLE }] });
      const vastTag = `${exchange.running.edgeUrl}/vast?site_id=${market.publisherId}&w=640&h=360&secure=0`;
      const ask = async () => (await fetch(`${vastTag}&ua=${encodeURIComponent(BROWSER_USER_AGENT)}`)).text();
      expect(await ask()).to.include('VASTAdTagURI');
      expect(await hosted('wrapped')).to.include({ hosting_status: 'hosted' });
      await eventually(
        'it to be served from our hosts',
        async () => !(await ask()).includes('VASTAdTagURI'),
        HOSTED_SOON,
      );
      const before = site.hits('/ad.mp4');
      const page = await browser.newPage({ userAgent: BROWSER_USER_AGENT, viewport: { width: 640, height: 360 } });
      const requested: string[] = [];
      page.on('request', (request) => requested.push(request.url()));
      await page.goto(site.page('/watch-hosted', playerPage(vastTag)));
      await eventually('the player to end the ad', () => site.hits('/tracked/spot/complete') > 0, {
        timeoutMs: 60_000,
      });
      await page.screenshot({ path: `${process.env.SCREENSHOTS ?? '/tmp'}/player-hosted-ad.png` });
      await page.close();
      expect(site.hits('/ad.mp4'), 'the origin is not asked').to.equal(before);
      expect(requested.some((url) => /\/creative\/[0-9a-f]{64}/.test(url))).to.equal(true);
      for (const level of ['outer', 'inner', 'spot']) {
        for (const event of ['impression', ...events]) {
          expect(site.hits(`/tracked/${level}/${event}`), `${event} of ${level}`).to.equal(1);
        }
      }
      expect(requested.filter((url) => url.includes('/tracked/outer/')).every((url) => url.endsWith('?p=4'))).to.equal(
        true,
      );
      const stats = async () => (await exchange.get(`/api/supply/sources/${market.publisherId}/stats?period=1h`)).body;
      await eventually('the ledger to show the impression', async () => (await stats()).impressions === 1);
      expect(await platformMetric(exchange, 'exchange_impression_calls_total', 'outcome="repeated"')).to.equal(0);
    });
  });
});
