import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { bids } from '../support/bidder.ts';
import { BROWSER_USER_AGENT } from '../support/browser.ts';
import { launchChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { callJson, startTestExchange, type TestExchange } from '../support/exchange.ts';
import { freePort } from '../support/free-port.ts';
import { type PublisherSite, startPublisherSite } from '../support/publisher-site.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { Market } from './market.ts';

/** ms to the edge of fra in each direction. */
const FAR_MS = 100;
const BANNER = '<b style="display:block;width:300px;height:250px;background:#123a7c">An ad</b>';
const TEN_SECONDS = { timeoutMs: 10_000 };

describe('specification: the nearest region, on redis-mongodb', () => {
  let browser: Browser;
  let site: PublisherSite;
  let home: TestExchange;
  let nyc: TestExchange;
  let proxy: TcpProxy;
  let market: Market;
  let context: BrowserContext;
  let page: Page;
  /** The URLs that the browser has requested. */
  let requested: string[];
  let farUrl: string;
  let nearUrl: string;

  before(async function () {
    browser = await launchChromium(this);
    site = await startPublisherSite();
    const [farPort, nearPort] = [await freePort(), await freePort()];
    proxy = await openTcpProxy('127.0.0.1', farPort, FAR_MS);
    farUrl = `http://127.0.0.1:${proxy.port}`;
    nearUrl = `http://127.0.0.1:${nearPort}`;
    const REGION_URLS = `fra=${farUrl},nyc=${nearUrl}`;
    const far = { EDGE_PORT: String(farPort), PUBLIC_EDGE_URL: farUrl, REGION_URLS };
    home = await startTestExchange(this, 'redis-mongodb', far);
    const shared = Object.fromEntries(
      ['REDIS_URL', 'REDIS_PREFIX', 'MONGODB_URL', 'SECRET_KEY'].map((name) => [name, home.environment[name]!]),
    );
    const near = { EDGE_PORT: String(nearPort), PUBLIC_EDGE_URL: nearUrl, REGION_URLS, REGION: 'nyc', ROLES: 'edge' };
    nyc = await startTestExchange(this, 'redis-mongodb', { ...shared, ...near });
    market = new Market({
      running: { edgeUrl: `http://127.0.0.1:${farPort}` },
      call: home.call,
      create: async (path, fields) => (await home.call('POST', path, { name: randomUUID(), ...fields })).body,
    });
    await market.open({ bidders: [{ script: bids({ price: 2.5, adm: BANNER }) }] });
    await eventually(
      'nyc to sell',
      async () => (await callJson('POST', `${nearUrl}/rtb`, market.request())).status === 200,
      TEN_SECONDS,
    );
  });
  after(async () => {
    await browser?.close();
    await site?.close();
    await market?.close();
    await nyc?.stop();
    await home?.stop();
    await proxy?.close();
  });
  beforeEach(async () => {
    requested = [];
    context = await browser.newContext({ userAgent: BROWSER_USER_AGENT, viewport: { width: 800, height: 2_000 } });
    context.on('request', (request) => requested.push(request.url()));
    page = await context.newPage();
  });
  afterEach(() => context.close());

  /** A page's tag, which the far region serves, and its first slot. */
  const tagged = (attributes = '') =>
    `<script async src="${farUrl}/tag.js" ${attributes}></script>` +
    `<div id="first" data-ad-publisher="${market.publisherId}"></div><main></main>`;
  /** Shows a page with the tag, and waits for its ad. */
  const open = async (before = '', attributes = '') => {
    await page.goto(site.page('/story', `<!doctype html>${before}${tagged(attributes)}`));
    await filled('first');
  };
  const filled = (id: string, within: Page | Frame = page) =>
    within.waitForSelector(`#${id}:is([data-ad-status=rendered], [data-ad-status=viewable])`);
  /** Adds a slot to the page, or to a frame of it, and waits for its ad. */
  const push = async (id: string, within: Page | Frame = page) => {
    await within.evaluate(
      `document.querySelector('main').insertAdjacentHTML('beforeend', '<div id="${id}"></div>');` +
        `adExchange.push({ element: '#${id}', publisher: '${market.publisherId}' })`,
    );
    await filled(id, within);
  };
  const regionOf = (url: string) => (url.startsWith(farUrl) ? 'fra' : url.startsWith(nearUrl) ? 'nyc' : 'none');
  const regionsOf = (path: string) =>
    requested.filter((url) => new URL(url).pathname === path).map((url) => regionOf(url));
  const stored = () => page.evaluate('Object.values(localStorage)') as Promise<string[]>;
  const remembered = () => page.waitForFunction('Object.values(localStorage).length > 0');
  /** Each region is pinged four times; the answers to all of them have come. */
  const measured = (within: Page | Frame = page) =>
    within.waitForFunction(
      "performance.getEntriesByType('resource').filter(({ name, responseEnd }) => name.endsWith('/ping') && responseEnd > 0).length === 8",
    );

  it('serves the first ad from the region that served the tag, and the second from the nearer one', async () => {
    await open();
    expect(regionsOf('/ad')).to.deep.equal(['fra']);
    await remembered();
    await push('second');
    expect(regionsOf('/ad')).to.deep.equal(['fra', 'nyc']);
    expect(regionsOf('/ping').sort()).to.deep.equal([...Array(4).fill('fra'), ...Array(4).fill('nyc')]);
    await page.waitForSelector('#second[data-ad-status=viewable]');
    // The reports of an ad and its pixel go to the region that sold it.
    expect(regionsOf('/track/view').filter((region) => region === 'nyc')).to.have.length(2);
    const path = `/api/metrics/publisher/${market.publisherId}`;
    await eventually(
      'an impression in each region',
      async () => {
        const answers = await Promise.all(['fra', 'nyc'].map((region) => home.call('GET', `${path}?region=${region}`)));
        return answers.every(({ body }) => body.impressions === 1);
      },
      { timeoutMs: 60_000, everyMs: 100 },
    );
  });

  it('serves the first ad of a later page from the nearer region, and measures no more', async () => {
    await open();
    await remembered();
    expect((await stored())[0]).to.match(/^nyc,fra \d+$/);
    requested.length = 0;
    await open();
    await push('second');
    expect(regionsOf('/ad')).to.deep.equal(['nyc', 'nyc']);
    expect(regionsOf('/ping')).to.deep.equal([]);
  });

  const platform = (consents: object) =>
    `<script>window.__tcfapi = (command, version, told) => command === 'addEventListener' && told({ gdprApplies: true,
      tcString: 'TC', eventStatus: 'tcloaded', listenerId: 1, purpose: { consents: ${JSON.stringify(consents)} } }, true)</script>`;

  it('keeps nothing in the browser under GDPR without consent to storage, and chooses all the same', async () => {
    await open(platform({ 2: true }));
    await measured();
    await push('second');
    expect(regionsOf('/ad')).to.deep.equal(['fra', 'nyc']);
    expect(await stored()).to.deep.equal([]);
  });

  it('keeps nothing in the browser where the consent platform is around the frame of the tag and has not loaded', async () => {
    site.page('/framed', `<!doctype html>${tagged()}`);
    const unloaded = '<script>window.__tcfapi = () => undefined</script>';
    await page.goto(
      site.page(
        '/around',
        `<!doctype html>${unloaded}<iframe name="ad" width="400" height="900" src="/framed"></iframe>`,
      ),
    );
    const frame = page.frame('ad')!;
    await filled('first', frame);
    await measured(frame);
    await push('second', frame);
    expect(regionsOf('/ad')).to.deep.equal(['fra', 'nyc']);
    expect(await stored()).to.deep.equal([]);
  });

  it('remembers the choice under GDPR with consent to storage', async () => {
    await open(platform({ 1: true }));
    await remembered();
  });

  it('asks the region that the page has fixed, and measures nothing', async () => {
    await open('', 'data-region="nyc"');
    await push('second');
    expect(regionsOf('/ad')).to.deep.equal(['nyc', 'nyc']);
    expect([regionsOf('/ping'), await stored()]).to.deep.equal([[], []]);
  });

  it('asks the region that served the tag alone where the choice is switched off', async () => {
    await open('', 'data-region="off"');
    await push('second');
    expect(regionsOf('/ad')).to.deep.equal(['fra', 'fra']);
    expect([regionsOf('/ping'), await stored()]).to.deep.equal([[], []]);
  });

  it('serves the next ad from the other region when the nearer one has stopped', async () => {
    await open();
    await remembered();
    await push('second');
    await nyc.stop();
    await push('third');
    await push('fourth');
    expect(regionsOf('/ad')).to.deep.equal(['fra', 'nyc', 'nyc', 'fra', 'fra']);
    expect(await stored()).to.deep.equal([]);
  });
});
