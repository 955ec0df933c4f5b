import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { againstExchange } from '../specification/against-exchange.ts';
import type { Market } from '../specification/market.ts';
import { bids, type Script } from '../support/bidder.ts';
import { BROWSER } from '../support/browser.ts';
import { launchChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { type PublisherSite, startPublisherSite } from '../support/publisher-site.ts';
import { linearVast } from './media.ts';

/** Code blocks of docs/tags.md, by what they are in. */
const BLOCKS = [...readFileSync('docs/tags.md', 'utf8').matchAll(/```(\w*)\n([\s\S]*?)```/g)];
const HTML = BLOCKS.filter(([, language]) => language === 'html').map(([, , code]) => code!);
const ADDRESSES = BLOCKS.filter(([, language]) => language === '').map(([, , code]) => code!.trim());

const NATIVE = JSON.stringify({
  ver: '1.2',
  assets: [
    { id: 1, title: { text: 'Fly to the sea' } },
    { id: 4, data: { value: 'Blue Airways' } },
  ],
  link: { url: 'https://advertiser.test/' },
});

/** Bids in whatever format is asked for. */
const sellsEverything: Script = (received, response) => {
  const [imp] = received.body.imp;
  const spot = { duration: '00:00:15', trackers: 'https://dsp.test/' };
  if (imp.native) return bids({ price: 3, adm: NATIVE, w: undefined, h: undefined })(received, response);
  if (imp.banner) return bids({ price: 3, w: imp.banner.w, h: imp.banner.h })(received, response);
  const [mediaType] = (imp.audio ?? imp.video).mimes;
  const adm = linearVast({ mediaUrl: 'https://dsp.test/spot', mediaType, ...spot });
  return bids({ price: 3, adm, mtype: imp.audio ? 3 : 2, w: undefined, h: undefined })(received, response);
};

againstExchange('the snippets of docs/tags.md', (exchange) => {
  let browser: Browser;
  let site: PublisherSite;
  let market: Market;
  before(async function () {
    this.timeout(60_000);
    browser = await launchChromium(this);
    site = await startPublisherSite();
    market = await exchange.market({ bidders: [{ script: sellsEverything }] });
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  const ours = (code: string) =>
    code
      .replaceAll('http://localhost:8081', exchange.running.edgeUrl)
      .replaceAll('00000000-0000-4000-8000-00000000000a', market.publisherId);

  it('are seven: three addresses and four pieces of pages', () => {
    expect([ADDRESSES.length, HTML.length]).to.deep.equal([3, 4]);
  });

  for (const address of ADDRESSES) {
    it(`${address.replace(/^.*8081/, '')} is VAST with an ad in it`, async () => {
      const response = await fetch(ours(address), { headers: { 'user-agent': BROWSER } });
      expect(await response.text()).to.match(/<VAST[^>]*>.*<Ad .*\/track\/impression\?/s);
    });
  }

  for (const [index, snippet] of HTML.entries()) {
    it(`piece ${index + 1} of a page shows an ad`, async () => {
      const page = await browser.newPage({ userAgent: BROWSER, viewport: { width: 800, height: 900 } });
      await page.goto(site.page(`/piece-${index}`, `<!doctype html>${ours(snippet)}`));
      await eventually('the ad to be seen', () => page.locator('[data-ad-status=viewable]').count(), {
        timeoutMs: 10_000,
      });
      await page.screenshot({ path: `${process.env.SCREENSHOTS ?? '/tmp'}/snippet-${index + 1}.png` });
      await page.close();
    });
  }
});
