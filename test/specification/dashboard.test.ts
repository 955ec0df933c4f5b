import { expect } from 'chai';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { callJson } from '../support/exchange.ts';
import { againstExchange } from './against-exchange.ts';
import { shows } from './shows.ts';

againstExchange('the dashboard', (exchange) => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  before(async function () {
    browser = await launchChromium(this);
    context = await browser.newContext({
      baseURL: exchange.running.baseUrl,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    page = await context.newPage();
    await page.goto('/');
    await page.getByLabel('Email').fill(exchange.running.admin.email);
    await page.getByLabel('Password').fill(exchange.running.admin.password);
    await button('Log in').click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });
  after(() => browser?.close());

  const button = (name: string, of: Page | Locator = page) => of.getByRole('button', { name, exact: true });
  const copied = () => page.evaluate('navigator.clipboard.readText()') as Promise<string>;
  const statusWith = async (key: string) =>
    (await callJson('GET', `${exchange.running.baseUrl}/api/account`, undefined, { 'X-API-Key': key })).status;

  shows('auth.session.dashboard', async () => {
    const [cookie] = await context.cookies();
    expect(cookie).to.include({ httpOnly: true });
    // Nothing but the cookie says who asks, and no script of a page can read it.
    expect(await page.evaluate("fetch('/api/supply/sources').then((answer) => answer.status)")).to.equal(200);
    expect(await page.evaluate('document.cookie')).to.equal('');
    const stranger = await browser.newPage({ baseURL: exchange.running.baseUrl });
    await stranger.goto('/');
    expect(await stranger.evaluate("fetch('/api/supply/sources').then((answer) => answer.status)")).to.equal(401);
    await stranger.close();
  });

  shows('supply.integration', async () => {
    for (const [method, part] of [
      ['Prebid', /bidder: 'adexchange', params: \{ host: '/],
      ['VAST', /\/vast\?/],
      ['JS Tag', /\/tag\.js/],
    ] as const) {
      await page.goto('/supply/new');
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`By ${method}`);
      await page.getByRole('textbox', { name: 'Domain', exact: true }).fill('news.example');
      await page.getByRole('radio', { name: new RegExp(`^${method}`) }).click();
      await button('Create publisher').click();
      await page.getByRole('heading', { level: 1, name: `By ${method}` }).waitFor();
      const id = new URL(page.url()).pathname.split('/').at(-1)!;
      await button('Copy the snippet').click();
      const snippet = await copied();
      expect(snippet).to.match(part);
      expect(snippet).to.include(id);
    }
  });

  shows('auth.keys.dashboard', async () => {
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('link', { name: 'API keys', exact: true }).click();
    await button('Generate new key').click();
    const making = page.getByRole('dialog', { name: 'New API key' });
    await making.getByLabel('Name').fill('A server');
    await button('Generate key', making).click();
    const made = page.getByRole('dialog', { name: 'The key A server' });
    await button('Copy the key', made).click();
    const first = await copied();
    expect(await statusWith(first)).to.equal(200);
    await button('I have copied it', made).click();
    await made.waitFor({ state: 'detached' });
    await button('Rotate', page.getByRole('row').filter({ hasText: 'A server' })).click();
    await button('Rotate', page.getByRole('dialog', { name: 'Rotate the key A server' })).click();
    await button('Copy the key', made).click();
    const second = await copied();
    expect(second).to.match(/^pk_live_/);
    expect(second).to.not.equal(first);
    expect(await statusWith(second)).to.equal(200);
  });

  shows('auth.source-key.dashboard', async () => {
    const { id } = await exchange.create('/api/supply/sources', { domain: 'd.example', type: 'web' });
    await page.goto(`/supply/${id}?tab=settings`);
    await button('Make a key').click();
    const key = page.getByRole('textbox', { name: 'Key', exact: true });
    const first = await eventually('the key', () => key.inputValue());
    await button('Make a new key').click();
    await button('Make a new key', page.getByRole('dialog')).click();
    const second = await eventually('the new key', async () => {
      const shown = await key.inputValue();
      return shown === first ? null : shown;
    });
    const own = await callJson('GET', `${exchange.running.baseUrl}/api/source/report`, undefined, {
      'X-API-Key': second,
    });
    expect(own.status).to.equal(200);
  });

  shows('webhook.dashboard', async () => {
    const url = 'https://hooks.example/exchange';
    await page.goto('/settings/webhooks');
    await button('Add a webhook').last().click();
    const making = page.getByRole('dialog', { name: 'New webhook' });
    await making.getByLabel('URL').fill(url);
    await button('Add', making).click();
    await page.getByText(url).first().waitFor();
    const { body } = await exchange.get('/api/webhooks');
    expect(body.webhooks.map((one: { url: string }) => one.url)).to.deep.equal([url]);
  });
});
