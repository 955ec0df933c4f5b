import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { bids } from '../support/bidder.ts';
import { BROWSER_USER_AGENT } from '../support/browser.ts';
import { launchChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { type PublisherSite, startPublisherSite } from '../support/publisher-site.ts';
import { againstExchange } from './against-exchange.ts';
import { dspMetric, platformMetric } from './facts.ts';
import type { Market } from './market.ts';
import { shows } from './shows.ts';

const NO_SIZE = { w: undefined, h: undefined };

const BANNER =
  '<a href="https://advertiser.test/" id="ad" style="display:block;width:300px;height:250px;background:#123a7c;color:#fff;' +
  'font:700 28px/250px sans-serif;text-align:center;text-decoration:none">Fly to the sea</a>';

/** A square of one colour, so that nothing of it comes from elsewhere. */
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="627"><rect width="1200" height="627" fill="#2a7"/></svg>';

againstExchange(
  'the JS tag',
  (exchange) => {
    let browser: Browser;
    let site: PublisherSite;
    let market: Market;
    let page: Page;
    /** Of this page's requests, the URLs. */
    let requested: string[];

    before(async function () {
      browser = await launchChromium(this);
      site = await startPublisherSite();
      site.files.set('/picture.svg', { type: 'image/svg+xml', body: PICTURE });
      market = await exchange.market({ bidders: [{ script: bids({ price: 2.5 }) }] });
    });
    after(async () => {
      await browser?.close();
      await site?.close();
    });
    beforeEach(async () => {
      requested = [];
      page = await browser.newPage({ userAgent: BROWSER_USER_AGENT, viewport: { width: 800, height: 900 } });
      page.setDefaultTimeout(90_000);
      page.on('request', (request) => requested.push(request.url()));
    });
    afterEach(() => page.close());

    const bidder = () => market.bidders[0]!;
    const tag = () => `<script async src="${exchange.running.edgeUrl}/tag.js"></script>`;
    const slot = (id: string, attributes = '') =>
      `<div id="${id}" data-ad-publisher="${market.publisherId}" ${attributes}></div>`;
    const far = '<div style="height:3000px">A long story.</div>';
    const status = (id: string, wanted: string) =>
      page.waitForSelector(`#${id}[data-ad-status="${wanted}"]`, { state: 'attached' });
    /** A slot whose ad is shown; a second later it is also viewable. */
    const filled = async (id: string) => {
      const ends = ['rendered', 'viewable', 'empty', 'failed'].map((end) => `[data-ad-status=${end}]`).join();
      const ended = await page.waitForSelector(`#${id}:is(${ends})`, { state: 'attached' });
      expect(await ended.getAttribute('data-ad-status'), `slot ${id}`).to.be.oneOf(['rendered', 'viewable']);
    };
    const calls = (path: string) => requested.filter((url) => url.startsWith(`${exchange.running.edgeUrl}${path}`));
    /** As the ledgers have it, of the creative that only one test sells. */
    const impressions = async (crid: string): Promise<number> => {
      const { body } = await exchange.get(`/api/demand/sources/${bidder().dspId}/stats?breakdown=creative&period=1h`);
      const rows = body.creatives as { creative_id: string; impressions: number }[];
      return rows.find(({ creative_id: id }) => id === crid)?.impressions ?? 0;
    };
    const views = (event: string) =>
      dspMetric(exchange, bidder().dspId, 'exchange_dsp_viewability_events_total', `event="${event}"`);
    const pixels = (outcome: string) =>
      platformMetric(exchange, 'exchange_impression_calls_total', `outcome="${outcome}"`);
    const asked = () => bidder().received.filter(({ path }) => path.startsWith('/bid')).length;

    shows(['edge.tag.js', 'edge.viewable'], async () => {
      bidder().script = bids({ price: 2.5, adm: BANNER, crid: 'banner' });
      const before = { viewable: await views('viewable'), asked: asked() };
      const billedBefore = await pixels('billed');
      const later = slot('later').replace('data-ad-publisher', 'data-later');
      const url = site.page('/story', `<!doctype html>${tag()}<h1>Story</h1>${later}${far}${slot('low')}`);
      await page.goto(url);
      await status('low', 'waiting');
      expect(asked()).to.equal(before.asked);

      await page.locator('#low').scrollIntoViewIfNeeded();
      await status('low', 'viewable');
      expect(await page.frameLocator('#low iframe').locator('#ad').textContent()).to.equal('Fly to the sea');
      await page.screenshot({ path: `${process.env.SCREENSHOTS ?? '/tmp'}/tag-banner.png` });
      await eventually('the ledger to show the impression', async () => (await impressions('banner')) === 1);
      await eventually('the view to be counted', async () => (await views('viewable')) === before.viewable + 1);

      // Out of view and into it again is the same render; by the time that another slot is viewable, nothing more came
      // of it.
      await page.locator('h1').scrollIntoViewIfNeeded();
      await page.locator('#low').scrollIntoViewIfNeeded();
      await page.locator('h1').scrollIntoViewIfNeeded();
      await page.evaluate(`adExchange.push({ element: '#later', publisher: '${market.publisherId}' })`);
      await status('later', 'viewable');
      await eventually('both views to be counted', async () => (await views('viewable')) === before.viewable + 2);
      await eventually('both pixels to be counted', async () => (await pixels('billed')) === billedBefore + 2);
      expect(await pixels('repeated')).to.equal(0);
      await eventually('the ledger to show both', async () => (await impressions('banner')) === 2);
      expect(asked() - before.asked).to.equal(2);
      const told = calls('/track/view').map((view) => new URL(view).searchParams);
      const ofFirst = told.filter((one) => one.get('t') === told[0]!.get('t'));
      expect(ofFirst.map((one) => one.get('event'))).to.deep.equal(['measurable', 'viewable']);
      expect(told).to.have.length(4);
    });

    it('keeps the ad from the page: a frame with an origin of its own, in a page with one global more', async () => {
      const probe =
        '<script>try{document.body.dataset.got=parent.document.title}catch(e){document.body.dataset.got=e.name}</script>';
      bidder().script = bids({ price: 2.5, adm: `${BANNER}${probe}` });
      await page.goto(site.page('/empty', '<!doctype html>'));
      const globals = new Set((await page.evaluate('Object.keys(window)')) as string[]);
      await page.goto(site.page('/kept', `<!doctype html>${tag()}${slot('top')}`));
      await filled('top');
      const added = ((await page.evaluate('Object.keys(window)')) as string[]).filter((name) => !globals.has(name));
      // A frame is a numbered property of its window, and an element with an id is no property of its own.
      expect(added.filter((name) => !/^\d+$/.test(name))).to.deep.equal(['adExchange']);
      expect(await page.getAttribute('#top iframe', 'sandbox')).not.to.contain('allow-same-origin');
      const body = page.frameLocator('#top iframe').locator('body');
      expect(await body.getAttribute('data-got')).to.equal('SecurityError');
    });

    it('fills several slots, those that are pushed before and after it came too', async () => {
      bidder().script = bids({ price: 2.5, adm: BANNER });
      const early = `<script>(window.adExchange = window.adExchange || []).push({ element: '#early', publisher: '${market.publisherId}', sizes: ['300x250'] })</script>`;
      await page.goto(
        site.page(
          '/several',
          `<!doctype html><div id="early"></div>${early}${tag()}${slot('one')}<div id="late"></div>`,
        ),
      );
      await filled('early');
      await filled('one');
      await page.evaluate(
        `adExchange.push({ element: document.getElementById('late'), publisher: '${market.publisherId}' })`,
      );
      await filled('late');
      expect(calls('/ad')).to.have.length(3);
      await page.screenshot({ path: `${process.env.SCREENSHOTS ?? '/tmp'}/tag-banners.png` });
    });

    /** Pushes calls before the script has loaded. */
    const pushing = (...calls: string[]) =>
      `<script>(window.adExchange = window.adExchange || []).push(${calls.join()})</script>`;
    const call = (element: string) => `{ element: ${element}, publisher: '${market.publisherId}' }`;
    const warned = () => {
      const texts: string[] = [];
      page.on('console', (message) => void (message.type() === 'warning' && texts.push(message.text())));
      return texts;
    };

    it('fills the slots beside a call that fails, and warns of it', async () => {
      bidder().script = bids({ price: 2.5, adm: BANNER });
      const warnings = warned();
      const early = pushing(call("'#1'"), 'null', '{ element: { nodeType: 1 } }', call("'#early'"));
      await page.goto(site.page('/failing', `<!doctype html><div id="early"></div>${early}${tag()}${slot('one')}`));
      await filled('early');
      await filled('one');
      await page.evaluate(`adExchange.push(${call("'#2'")})`);
      expect(warnings).to.have.length(4);
      for (const warning of warnings) expect(warning).to.match(/^ad tag: adExchange\.push failed, /);
    });

    it('opens a slot that was pushed before its element was parsed, and warns of one that the page does not have', async () => {
      bidder().script = bids({ price: 2.5, adm: BANNER });
      const warnings = warned();
      // A script that blocks the parser is as early as one that comes from the cache.
      const blocking = tag().replace('async ', '');
      const head = `${pushing(call("'#later'"), call("'#never'"))}${blocking}${pushing(call("'#last'"))}`;
      const body = '<div id="later"></div><div id="last"></div>';
      await page.goto(site.page('/early', `<!doctype html><head>${head}</head><body>${body}`));
      await filled('later');
      await filled('last');
      expect(calls('/ad')).to.have.length(2);
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.match(/^ad tag: adExchange\.push failed, the page has no element #never /);
    });

    it('passes on what the consent platforms of the page say', async () => {
      bidder().script = bids({ price: 2.5, adm: BANNER });
      const platforms = `<script>
      window.__tcfapi = (command, version, told) => command === 'addEventListener' &&
        setTimeout(() => told({ gdprApplies: false, tcString: 'TC', eventStatus: 'tcloaded', listenerId: 1 }, true), 50);
      window.__gpp = (command, told) => told({ pingData: { gppString: 'DBAA', applicableSections: [7, 8], signalStatus: 'ready' } }, true);
      window.__uspapi = (command, version, told) => told({ uspString: '1YNN' }, true);
    </script>`;
      await page.goto(
        site.page('/consent', `<!doctype html>${platforms}${tag()}${slot('top', 'data-ad-content-genre="news"')}`),
      );
      await filled('top');
      const query = new URL(calls('/ad')[0]!).searchParams;
      expect(Object.fromEntries(query)).to.deep.include({
        gdpr: '0',
        gdpr_consent: 'TC',
        gpp: 'DBAA',
        gpp_sid: '7,8',
        us_privacy: '1YNN',
        content_genre: 'news',
      });
      expect(bidder().received.at(-1)!.body.site.page).to.equal(`${site.origin}/consent`);
    });

    it('renders native ads from text and addresses alone, tracks them, and counts them as viewed', async () => {
      const native = {
        ver: '1.2',
        assets: [
          { id: 1, title: { text: 'Fly <b>to</b> the sea' } },
          { id: 2, img: { url: `${site.origin}/picture.svg`, w: 1200, h: 627 } },
          { id: 4, data: { value: 'Blue Airways' } },
          { id: 5, data: { value: 'From 49 a seat, all summer.' } },
          { id: 6, data: { value: 'Book now' } },
        ],
        link: { url: `${site.origin}/landing`, clicktrackers: [`${site.origin}/tracked/click`, 'javascript:alert(1)'] },
        eventtrackers: [
          { event: 1, method: 1, url: `${site.origin}/tracked/seen` },
          { event: 2, method: 1, url: `${site.origin}/tracked/half-for-a-second` },
        ],
      };
      bidder().script = bids({ price: 2.5, adm: JSON.stringify(native), crid: 'native', ...NO_SIZE });
      const viewableBefore = await views('viewable');
      const attributes = 'data-ad-format="native" data-ad-secure="0"';
      await page.goto(site.page('/native', `<!doctype html>${tag()}<h1>Story</h1>${slot('unit', attributes)}`));
      await status('unit', 'viewable');
      expect(await page.locator('#unit strong').textContent()).to.equal('Fly <b>to</b> the sea');
      expect(await page.locator('#unit strong b').count()).to.equal(0);
      expect(await page.locator('#unit img').count()).to.equal(1);
      await page.screenshot({ path: `${process.env.SCREENSHOTS ?? '/tmp'}/tag-native.png` });
      site.page('/landing', '<!doctype html>The landing page');
      const [landing] = await Promise.all([page.waitForEvent('popup'), page.click('#unit a')]);
      await landing.close();
      await eventually('the click tracker', () => site.hits('/tracked/click') === 1);
      await eventually('the ledger to show it', async () => (await impressions('native')) === 1);
      await eventually('the view to be counted', async () => (await views('viewable')) > viewableBefore);
      await eventually('the bidder to be told', () => site.hits('/tracked/half-for-a-second') === 1);
      expect([site.hits('/tracked/seen'), calls('/track/impression').length]).to.deep.equal([1, 1]);
      // Ours in the markup are what the tag tells itself.
      const told = calls('/track/view').map((view) => new URL(view).searchParams.get('event'));
      expect(told).to.deep.equal(['measurable', 'viewable']);
    });

    it('fills the page’s own template', async () => {
      const assets = [
        { id: 1, title: { text: 'Fly' } },
        { id: 2, img: { url: 'https://dsp.test/main.png' } },
      ];
      const adm = JSON.stringify({ ver: '1.2', assets, link: { url: 'javascript:alert(1)' } });
      bidder().script = bids({ price: 2.5, adm, ...NO_SIZE });
      const template =
        '<template id="unit-template"><p data-asset="title"></p><a data-asset="link"><i data-asset="cta"></i>more</a></template>';
      const attributes = 'data-ad-format="native" data-ad-template="#unit-template"';
      await page.goto(site.page('/template', `<!doctype html>${template}${tag()}${slot('unit', attributes)}`));
      await filled('unit');
      expect(await page.locator('#unit > div').innerHTML()).to.equal(
        '<p data-asset="title">Fly</p><a data-asset="link">more</a>',
      );
    });

    it('asks half of an ad to be in view, and three tenths of a large one', async () => {
      const [w, h] = [970, 250];
      bidder().script = ({ body }, response) => {
        const { banner } = body.imp[0];
        bids({ price: 2.5, w: banner.w, h: banner.h })({ body } as never, response);
      };
      await page.setViewportSize({ width: 1_400, height: 500 });
      // Two fifths of both are in view.
      const beside = `<div style="display:flex;margin-top:400px">${slot('small')}${slot('large', `data-ad-w="${w}" data-ad-h="${h}"`)}</div>`;
      await page.goto(site.page('/large', `<!doctype html><body style="margin:0">${tag()}${beside}${far}`));
      await status('large', 'viewable');
      expect(await page.getAttribute('#small', 'data-ad-status')).to.equal('ready');
      await page.mouse.wheel(0, 60);
      await status('small', 'viewable');
    });

    it('does not wait for a consent platform that never answers', async () => {
      bidder().script = bids({ price: 2.5, adm: BANNER });
      const platform = `<script>window.__tcfapi = (command, version, told) =>
      told({ gdprApplies: true, tcString: '', eventStatus: 'cmpuishown', listenerId: 1 }, true)</script>`;
      await page.goto(site.page('/asking', `<!doctype html>${platform}${tag()}${slot('top')}`));
      await filled('top');
      const query = new URL(calls('/ad')[0]!).searchParams;
      expect([query.get('gdpr'), query.get('gdpr_consent')]).to.deep.equal(['1', null]);
    });

    /** What the page's console is told of slots, until a slot has this state. */
    const toldUntil = async (html: string, wanted: string): Promise<string[]> => {
      const told: string[] = [];
      page.on('console', (message) => {
        if (message.text().startsWith('ad slot')) told.push(`${message.type()} ${message.text()}`);
      });
      const first = page.waitForEvent('console', (message) => message.text().startsWith('ad slot'));
      await page.goto(site.page(`/told-${wanted}`, `<!doctype html>${tag()}${html}`));
      await status('top', wanted);
      await first;
      return told;
    };
    const room = () => page.locator('#top').boundingBox();

    it('closes a slot that asks for what there is not, and says what in one line of the console', async () => {
      const told = await toldUntil(slot('top', 'data-ad-floor="cheap"'), 'failed');
      expect(told).to.have.length(1);
      expect(told[0]).to.match(/^info .*no ad, the exchange answered 400: floor must be a CPM in dollars\./);
      expect(await room()).to.include({ width: 0, height: 0 });
    });

    it('closes a slot that has no buyer, and says so in one line of the console', async () => {
      bidder().script = (_received, response) => void response.writeHead(204).end();
      const told = await toldUntil(slot('top'), 'empty');
      expect(told).to.have.length(1);
      expect(told[0]).to.match(/^info .*nobody bought it; GET \/api\/auctions says why/);
      expect(await room()).to.include({ width: 0, height: 0 });
    });

    it('says the reason in the sandbox', async () => {
      const told = await toldUntil(slot('top', 'data-ad-sandbox="true"'), 'empty');
      expect(told).to.have.length(1);
      expect(told[0]).to.match(/^info .*nobody bought it \(no-demand\)/);
    });

    it('closes a slot of an exchange that cannot be reached', async () => {
      await page.route('**/ad?*', (route) => route.abort());
      const told = await toldUntil(slot('top'), 'failed');
      expect(told).to.have.length(1);
      expect(told[0]).to.match(/^info .*no ad, Failed to fetch/);
      expect(await room()).to.include({ width: 0, height: 0 });
    });
  },
  { steady: true },
);
