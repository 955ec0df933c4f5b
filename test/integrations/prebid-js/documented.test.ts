import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { againstExchange } from '../../specification/against-exchange.ts';
import { launchChromium } from '../../support/chromium.ts';
import { eventually } from '../../support/eventually.ts';
import { type PublisherSite, startPublisherSite } from '../../support/publisher-site.ts';
import { ADAPTER, PrebidPage, prebidScript } from './prebid-page.ts';

const [, TEST_PARAMETERS = ''] =
  /# Test Parameters[\s\S]*?```js\n([\s\S]*?)```/.exec(readFileSync(`${ADAPTER}.md`, 'utf8')) ?? [];

/** What is documented of the adapter, as it stands, on a new exchange: only the sandbox's demand bids. */
againstExchange('Prebid.js: what is documented', (exchange) => {
  let browser: Browser;
  let site: PublisherSite;
  let page: PrebidPage;

  before(async function () {
    this.timeout(60_000);
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
});
