import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { againstExchange } from '../specification/against-exchange.ts';
import { BROWSER_USER_AGENT } from '../support/browser.ts';
import { launchChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { type PublisherSite, startPublisherSite } from '../support/publisher-site.ts';
import { browserScript, media } from './media.ts';

/** As it stands in docs/tags.md. */
const PUBLISHER = '00000000-0000-4000-8000-00000000000a';
const BLOCKS = [...readFileSync('docs/tags.md', 'utf8').matchAll(/```(\w*)\n([\s\S]*?)```/g)];
const ADDRESSES = BLOCKS.filter(([, language]) => language === '').map(([, , code]) => code!.trim());
const PIECES = BLOCKS.filter(([, language, code]) => language === 'html' && !code!.includes('/sync?'));

const PLAYED_MS = 25_000;

/** Players and pages against the sandbox of a new exchange: only its synthetic demand bids. */
againstExchange('the sandbox in real players', (exchange) => {
  let browser: Browser;
  let site: PublisherSite;
  let page: Page;

  before(async function () {
    browser = await launchChromium(this);
    site = await startPublisherSite();
    site.files.set('/player.js', browserScript('node_modules/fluid-player/src/browser.js'));
    site.files.set('/vast-client.js', browserScript('node_modules/@dailymotion/vast-client/dist/vast-client.js'));
    site.files.set('/content.mp4', media('content.mp4'));
    await eventually('the sandbox to sell', async () => {
      const response = await fetch(ours(ADDRESSES[0]!), { headers: { 'user-agent': BROWSER_USER_AGENT } });
      return (await response.text()).includes('<Ad ');
    });
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });
  beforeEach(async () => {
    page = await browser.newPage({ userAgent: BROWSER_USER_AGENT, viewport: { width: 800, height: 900 } });
  });
  afterEach(() => page.close());

  const ours = (code: string) => code.replaceAll('http://localhost:8081', exchange.running.edgeUrl);
  const shot = (name: string) => page.screenshot({ path: `${process.env.SCREENSHOTS ?? '/tmp'}/sandbox-${name}.png` });
  const watch = (vastTag: string) => {
    const options = {
      layoutControls: { autoPlay: true, mute: true },
      vastOptions: { adList: [{ roll: 'preRoll', vastTag }] },
    };
    return page.goto(
      site.page(
        '/watch',
        `<!doctype html><body style="margin:0"><video id="player" width="640" height="360">
        <source src="/content.mp4" type="video/mp4"></video><script src="/player.js"></script>
        <script>
          const seen = [];
          for (const name of ['playing', 'ended', 'error'])
            document.addEventListener(name, ({ target }) => seen.push(name + ' ' + target.currentSrc), true);
          fluidPlayer('player', ${JSON.stringify(options)});
        </script>`,
      ),
    );
  };
  /** Resolves when the page's player has said so of one of the sandbox's files. */
  const said = (event: 'playing' | 'ended') =>
    page.waitForFunction(`seen.some((one) => one.startsWith('${event} ') && one.includes('/creative/'))`, undefined, {
      timeout: PLAYED_MS,
    });

  it('plays the documented video in a player', async () => {
    await watch(ours(ADDRESSES[0]!));
    await said('playing');
    await page.waitForFunction("[...document.querySelectorAll('video')].some(({ currentTime }) => currentTime > 1)");
    await shot('video');
    expect(await page.evaluate("seen.filter((one) => one.startsWith('error'))")).to.deep.equal([]);
  });

  it('plays a spot to its end, and the content after it', async () => {
    await watch(`${ours(ADDRESSES[0]!)}&maxduration=5`);
    await said('ended');
    await page.waitForFunction(
      "[...document.querySelectorAll('video')].some(({ currentSrc, currentTime }) => /content/.test(currentSrc) && currentTime > 0.2)",
    );
  });

  it('plays the documented audio with its companion', async () => {
    const address = ADDRESSES.find((one) => one.includes('format=audio'))!;
    await page.goto(
      site.page(
        '/listen',
        `<!doctype html><audio controls></audio><img alt=""><script src="/vast-client.js"></script><script>
          const audio = document.querySelector('audio');
          const seen = [];
          for (const name of ['playing', 'ended', 'error']) audio.addEventListener(name, () => seen.push(name + ' ' + audio.currentSrc));
          new bundled.VASTClient().get(${JSON.stringify(`${ours(address)}&maxduration=15`)}).then(({ ads }) => {
            const of = (type) => ads[0].creatives.find((creative) => creative.type === type);
            document.querySelector('img').src = of('companion').variations[0].staticResources[0].url;
            audio.src = of('linear').mediaFiles[0].fileURL;
            return audio.play();
          });
        </script>`,
      ),
    );
    await said('ended');
    expect(await page.evaluate("document.querySelector('img').naturalWidth")).to.equal(300);
    await shot('audio');
  });

  for (const [index, [, , piece]] of PIECES.entries()) {
    it(`shows piece ${index + 1} of a page with all that it loads`, async () => {
      const failed: string[] = [];
      page.on('requestfailed', (request) => failed.push(request.url()));
      page.on('response', (response) => {
        if (response.status() >= 400) failed.push(response.url());
      });
      site.files.set('/favicon.ico', { type: 'image/gif', body: Buffer.alloc(0) });
      await page.goto(site.page(`/piece-${index}`, `<!doctype html>${ours(piece!)}`));
      await page.waitForSelector('[data-ad-status=viewable]');
      const pictures = '[...document.images].map(({ naturalWidth, complete }) => complete && naturalWidth > 0)';
      await eventually('every picture to be there', async () =>
        ((await page.evaluate(pictures)) as boolean[]).every(Boolean),
      );
      await shot(`piece-${index + 1}`);
      expect(failed).to.deep.equal([]);
    });
  }

  it('shows a native unit in the tag’s own style', async () => {
    const html = `<script async src="${exchange.running.edgeUrl}/tag.js"></script>
      <div data-ad-publisher="${PUBLISHER}" data-ad-format="native"></div>`;
    await page.goto(site.page('/native', `<!doctype html>${html}`));
    await page.waitForSelector('[data-ad-status=viewable]');
    const unit = page.locator('.ad-native');
    expect(
      await unit.locator('[data-asset=image]').evaluate((image: { naturalWidth: number }) => image.naturalWidth),
    ).to.equal(1_200);
    expect(await unit.locator('[data-asset=cta]').textContent()).to.equal('See how');
    await shot('native');
  });
});

againstExchange('the sandbox’s files at the edge', (exchange) => {
  const document = async (query: string) => {
    const url = `${exchange.running.edgeUrl}/vast?site_id=${PUBLISHER}${query}`;
    return (await fetch(url, { headers: { 'user-agent': BROWSER_USER_AGENT } })).text();
  };
  const mediaUrl = (vast: string) => /<MediaFile[^>]*>\s*(?:<!\[CDATA\[)?([^\]<\s]+)/.exec(vast)?.[1] ?? '';

  it('are whole, with ranges, for scripts of any origin', async () => {
    let vast = '';
    await eventually('the sandbox to sell', async () => {
      vast = await document('');
      return vast.includes('<Ad ');
    });
    const whole = await fetch(mediaUrl(vast));
    expect([whole.status, whole.headers.get('content-type')]).to.deep.equal([200, 'video/mp4']);
    expect(whole.headers.get('access-control-allow-origin')).to.equal('*');
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect(bytes.subarray(4, 8).toString()).to.equal('ftyp');
    const part = await fetch(mediaUrl(vast), { headers: { range: 'bytes=4-7' } });
    expect([part.status, await part.text()]).to.deep.equal([206, 'ftyp']);
  });

  it('come in the markup where the imp is secure and the edge is on plain HTTP', async () => {
    let vast = '';
    await eventually('the sandbox to sell', async () => {
      vast = await document('&secure=1');
      return vast.includes('<Ad ');
    });
    expect(mediaUrl(vast)).to.match(/^data:video\/mp4;base64,/);
  });
});
