import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { againstExchange } from '../specification/against-exchange.ts';
import type { Market } from '../specification/market.ts';
import { bids, type Script } from '../support/bidder.ts';
import { BROWSER_USER_AGENT } from '../support/browser.ts';
import { launchChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { type PublisherSite, startPublisherSite } from '../support/publisher-site.ts';
import { linearVast } from './media.ts';

/** Code blocks of docs/tags.md, by what they are in. */
const BLOCKS = [...readFileSync('docs/tags.md', 'utf8').matchAll(/```(\w*)\n([\s\S]*?)```/g)];
const HTML = BLOCKS.filter(([, language]) => language === 'html').map(([, , code]) => code!);
/** Shows nothing. */
const SYNC = HTML.filter((code) => code.includes('/sync?'));
const ADS = HTML.filter((code) => !SYNC.includes(code));
const ADDRESSES = BLOCKS.filter(([, language]) => language === '').map(([, , code]) => code!.trim());

const NATIVE = JSON.stringify({
  ver: '1.2',
  assets: [
    { id: 1, title: { text: 'Fly to the sea' } },
    { id: 2, img: { url: 'https://advertiser.test/main.png' } },
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

  it('are seven: three addresses, three pieces of pages with ads and one without', () => {
    expect([ADDRESSES.length, ADS.length, SYNC.length]).to.deep.equal([3, 3, 1]);
  });

  for (const address of ADDRESSES) {
    it(`${address.replace(/^.*8081/, '')} is VAST with an ad in it`, async () => {
      const response = await fetch(ours(address), { headers: { 'user-agent': BROWSER_USER_AGENT } });
      expect(await response.text()).to.match(/<VAST[^>]*>.*<Ad .*\/track\/impression\?/s);
    });
  }

  it('the frame for buyers’ ids is one', async () => {
    const page = await browser.newPage({ userAgent: BROWSER_USER_AGENT });
    const answered = page.waitForResponse(/\/sync\?publisher_id=/);
    await page.goto(site.page('/sync-piece', `<!doctype html>${ours(SYNC[0]!)}`));
    const answer = await answered;
    expect([answer.status(), answer.headers()['content-type']]).to.deep.equal([200, 'text/html; charset=utf-8']);
    await page.close();
  });

  for (const [index, snippet] of ADS.entries()) {
    it(`piece ${index + 1} of a page shows an ad`, async () => {
      const page = await browser.newPage({ userAgent: BROWSER_USER_AGENT, viewport: { width: 800, height: 900 } });
      await page.goto(site.page(`/piece-${index}`, `<!doctype html>${ours(snippet)}`));
      const seen = async () => {
        // On a busy machine the bidder may be too late for one auction: a reader who comes again has another.
        if ((await page.locator('[data-ad-status=empty]').count()) > 0) await page.reload();
        return page.locator('[data-ad-status=viewable]').count();
      };
      await eventually('the ad to be seen', seen, { timeoutMs: 35_000 });
      await page.screenshot({ path: `${process.env.SCREENSHOTS ?? '/tmp'}/snippet-${index + 1}.png` });
      await page.close();
    });
  }
});
