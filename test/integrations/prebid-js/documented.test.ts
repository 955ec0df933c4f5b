import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { againstExchange } from '../../specification/against-exchange.ts';
import { BROWSER_USER_AGENT } from '../../support/browser.ts';
import { launchChromium } from '../../support/chromium.ts';
import { eventually } from '../../support/eventually.ts';
import { type PublisherSite, startPublisherSite } from '../../support/publisher-site.ts';
import { ADAPTER, bundledScript, PrebidPage, prebidScript } from './prebid-page.ts';

const [, TEST_PARAMETERS = ''] =
  /# Test Parameters[\s\S]*?```js\n([\s\S]*?)```/.exec(readFileSync(`${ADAPTER}.md`, 'utf8')) ?? [];

const SANDBOX = '00000000-0000-4000-8000-00000000000a';

/** The blocks of code of docs/prebid.md in a language, in their order. */
const blocks = (language: string) =>
  [
    ...readFileSync('docs/prebid.md', 'utf8').matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm')),
  ].map(([, code]) => code!);

/** What is documented of the adapter, as it stands, on a new exchange: only the sandbox's demand bids. */
againstExchange('Prebid.js: what is documented', (exchange) => {
  let browser: Browser;
  let site: PublisherSite;
  let page: PrebidPage;

  before(async function () {
    browser = await launchChromium(this);
    site = await startPublisherSite();
    site.files.set('/prebid.js', prebidScript());
    page = await PrebidPage.open(browser, site);
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  it('fills the test parameters, each format', async () => {
    await page.configure({ cache: { useLocal: true } });
    const host = exchange.running.edgeUrl.replace('http://', '');
    const adUnits = `(() => { ${TEST_PARAMETERS.replaceAll('localhost:8081', host)}; return adUnits; })()`;
    const bids = await eventually('the sandbox to sell', async () => {
      const answered = await page.auction(adUnits);
      return answered.length >= 4 ? answered : null;
    });
    for (let more = 0; more < 5; more++) expect(await page.auction(adUnits)).to.have.length(4);
    const mediaTypes = Object.fromEntries(bids.map(({ adUnitCode, mediaType }) => [adUnitCode, mediaType]));
    expect(mediaTypes).to.deep.equal({
      'test-banner': 'banner',
      'test-video': 'video',
      'test-native': 'native',
      'test-audio': 'audio',
    });
    for (const { cpm, currency } of bids) expect(cpm > 0 && currency).to.equal('USD');
  });

  it('sells an ad by the quick start as it stands', async () => {
    const host = exchange.running.edgeUrl.replace('http://', '');
    const [script] = blocks('js').map((code) => code.replaceAll('localhost:8081', host));
    const [html] = blocks('html');
    site.files.set('/ads.js', bundledScript(script!));
    const fresh = await browser.newPage({ userAgent: BROWSER_USER_AGENT });
    const shown = fresh.waitForResponse((response) => response.url().includes('/track/impression'));
    await fresh.goto(site.page('/start', html!));
    expect((await shown).status()).to.equal(200);
    await fresh.close();
    const stats = async () =>
      (await exchange.get(`/api/supply/sources/${SANDBOX}/stats`, { 'X-Sandbox': 'true' })).body;
    await eventually('the books to have it', async () => (await stats()).impressions === 1);
  });

  it('names the version of Prebid.js that it is tried with, and what installs the adapter', () => {
    const { dependencies } = JSON.parse(readFileSync('integrations/package.json', 'utf8'));
    const [shell] = blocks('sh');
    expect(shell).to.contain(`npm install prebid.js@${dependencies['prebid.js']}\n`);
    expect(shell).to.contain('node "$EXCHANGE/integrations/prebid-js/install.mjs" node_modules/prebid.js\n');
  });
});
