import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { renderCreative } from '../../exchange/creative/render/render-creative.ts';
import type { Creative } from '../../exchange/strategy/document/creative.ts';
import { assetsOf, imageAsset, termsOf } from '../exchange/creative/render/stock.ts';
import { launchChromium } from '../support/chromium.ts';
import { type CreativeOrigin, file, startCreativeOrigin } from '../support/creative-origin.ts';
import { eventually } from '../support/eventually.ts';

const CLICKS = ['/click-1?a=%22&b=%3C', '/click-2'];

/** One server on loopback is the publisher, the edge, the buyer's tracker and where clicks lead. */
describe("delegates' markup in a real browser", () => {
  let browser: Browser;
  let origin: CreativeOrigin;
  before(async function () {
    browser = await launchChromium(this);
  });
  after(() => browser?.close());
  beforeEach(async () => {
    origin = await startCreativeOrigin();
    origin.answer('/landing', file(Buffer.from('<title>landing</title>'), 'text/html'));
  });
  afterEach(() => origin.close());

  const shown = async (creative: Omit<Creative, 'creative_id'>): Promise<Page> => {
    const tracked = {
      creative_id: 'c',
      impression_trackers: [origin.url('/impression')],
      click_trackers: CLICKS.map((path) => origin.url(path)),
      landing_url: origin.url('/landing?a=1&b=2'),
      ...creative,
    };
    const terms = termsOf(
      { banner: { w: 300, h: 250 } },
      { trackingUrl: origin.url('/track?a=1&b=2'), edgeUrl: origin.origin },
    );
    const rendered = renderCreative(tracked, assetsOf({ image: imageAsset() }), terms);
    if (!rendered.ok) throw new Error(rendered.refused);
    const page = `<!doctype html><title>mine</title><body>${rendered.adm}</body>`;
    origin.answer('/page', file(Buffer.from(page), 'text/html'));
    const opened = await browser.newPage();
    await opened.goto(origin.url('/page'));
    return opened;
  };

  const called = (...paths: readonly string[]) =>
    eventually('the calls', () => {
      expect(origin.requestedPaths).to.include.members([...paths]);
      return true;
    });

  it('shows an image, counts it, and leads on when it is clicked', async () => {
    const page = await shown({ image_url: 'image' });
    await called('/track?a=1&b=2', '/impression');
    expect(origin.requestedPaths.filter((path) => path.startsWith('/click'))).to.deep.equal([]);
    const opened = page.context().waitForEvent('page');
    await page.locator('a > img').click();
    expect((await opened).url()).to.equal(origin.url('/landing?a=1&b=2'));
    await called(...CLICKS);
    await page.context().close();
  });

  it('runs an HTML5 ad that cannot reach the page, and knows its clickTag', async () => {
    const html = `<!DOCTYPE html><html><body><button onclick="window.open(window.clickTag)">ad</button><script>
      let reached = 'nothing';
      try { reached = parent.document.title } catch {}
      new Image().src = '${origin.url('/ran')}?mode=' + document.compatMode + '&reached=' + reached;
      </script></body></html>`;
    const page = await shown({ html });
    await called('/track?a=1&b=2', '/impression', '/ran?mode=CSS1Compat&reached=nothing');
    const button = page.frameLocator('iframe').locator('button');
    for (let click = 0; click < 2; click += 1) {
      const opened = page.context().waitForEvent('page');
      await button.click();
      expect((await opened).url()).to.equal(origin.url('/landing?a=1&b=2'));
    }
    await called(...CLICKS);
    expect(origin.requestedPaths.filter((path) => path === '/click-2')).to.have.length(1);
    await page.context().close();
  });
});
