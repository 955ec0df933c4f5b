import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { expectAccessible, expectNoOverflow } from '../../dashboard/support/axe.ts';
import { type RunningManagement, startManagement } from '../../gateways/management/running-management.ts';
import { launchChromium } from '../../support/chromium.ts';
import { buildSite } from './build-site.ts';

/** A page of each kind: the home, prose, code, the widest tables, a diagram, pictures, what is not there. */
const PAGES = [
  ...['', '/none', '/quick-start', '/tutorial/dsp', '/tags', '/settings', '/reference/openrtb'],
  ...['/architecture', '/repository', '/decisions'],
];
const LOOKS = (['light', 'dark'] as const).flatMap((scheme) => [1440, 1000, 390].map((width) => ({ width, scheme })));
const FOLDER = process.env.SCREENSHOTS;
const WHOLE = FOLDER !== undefined || process.env.WHOLE === '1';

describe('the site of the documentation, in a browser', () => {
  let running: RunningManagement;
  let browser: Browser;
  let page: Page;
  /** What pages complained about, and what they asked other hosts for. */
  const complaints: string[] = [];

  before(async function () {
    browser = await launchChromium(this);
    buildSite();
    running = await startManagement(this);
    const context = await browser.newContext({ baseURL: running.baseUrl });
    page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('404')) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(running.baseUrl)) complaints.push(request.url());
    });
    if (FOLDER !== undefined) mkdirSync(FOLDER, { recursive: true });
  });
  after(async () => {
    await browser?.close();
    await running?.close();
  });
  afterEach(() => expect(complaints.splice(0)).to.deep.equal([]));

  for (const [look, { width, scheme }] of LOOKS.entries()) {
    it(`is readable with a width of ${width}, ${scheme}`, async () => {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: scheme });
      // Every page is looked at once at least; the first one in every look.
      for (const path of WHOLE ? PAGES : PAGES.filter((_, at) => at === 0 || at % LOOKS.length === look)) {
        await page.goto(`/docs${path}`);
        await expectAccessible(page);
        await expectNoOverflow(page);
        if (FOLDER === undefined) continue;
        const name = `docs${path.replaceAll('/', '-')}-${width}-${scheme}.png`;
        await page.screenshot({ path: join(FOLDER, name) });
      }
    });
  }

  it('finds a page by its words, with the keyboard alone', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/docs');
    await page.keyboard.press('/');
    await page.keyboard.type('cattax');
    const first = page.getByRole('option').first();
    await first.waitFor();
    expect(await page.getByRole('combobox').getAttribute('aria-activedescendant')).to.equal(
      await first.getAttribute('id'),
    );
    await expectAccessible(page);
    if (FOLDER !== undefined) await page.screenshot({ path: join(FOLDER, 'docs-search.png') });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/.+/);
    expect(await page.locator('article').textContent()).to.include('cattax');
  });

  it('finds names of settings, words with a slip, and says when nothing is found', async () => {
    await page.goto('/docs');
    const box = page.getByRole('combobox');
    await box.fill('SECRET_KEY_PREVIOUS');
    await page.getByRole('option').first().waitFor();
    expect((await page.getByRole('option').allInnerTexts()).join('\n')).to.include('Settings');
    await box.fill('watermrak');
    await page.getByRole('option').first().waitFor();
    await box.fill('qqqqzzzz');
    await page.getByText('Nothing was found').waitFor();
    await page.keyboard.press('Escape');
    expect(await box.inputValue()).to.equal('');
  });

  it('leads by role from the home to a tutorial, and on', async () => {
    await page.goto('/docs');
    await page.locator('.card', { hasText: 'DSP engineer' }).getByRole('link').first().click();
    await page.waitForURL(/\/docs\/tutorial\/dsp$/);
    await page.locator('.side [aria-current="page"]').waitFor();
    await page.getByRole('link', { name: /^Next/ }).click();
    await page.waitForURL(/\/docs\/tutorial\/operator$/);
  });

  it('keeps the scheme that its reader chose, which the dashboard shows too', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto('/docs');
    await page.getByRole('button', { name: 'Show the dark scheme' }).click();
    await page.goto('/docs/tags');
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(background).to.equal('rgb(20, 22, 26)');
    expect(await page.evaluate("localStorage.getItem('mantine-color-scheme-value')")).to.equal('dark');
    await page.getByRole('button', { name: 'Show the light scheme' }).click();
  });

  it('has its menu behind a button on a narrow window, and is whole without scripts', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto('/docs/tags');
    const entry = page.locator('.side').getByRole('link', { name: 'Bid contract' });
    expect(await entry.isVisible()).to.equal(false);
    await page.getByText('Pages', { exact: true }).click();
    await entry.click();
    await page.waitForURL(/\/docs\/dsp$/);

    const plain = await browser.newContext({ baseURL: running.baseUrl, javaScriptEnabled: false });
    const unscripted = await plain.newPage();
    await unscripted.setViewportSize({ width: 1440, height: 900 });
    await unscripted.goto('/docs/tags');
    expect(await unscripted.locator('.side').getByRole('link', { name: 'Bid contract' }).isVisible()).to.equal(true);
    expect(await unscripted.locator('#search').isVisible()).to.equal(false);
    expect(await unscripted.locator('#scheme').isVisible()).to.equal(false);
    await plain.close();
  });
});
