import { expect } from 'chai';
import { buildSync } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import type * as client from '#client/index';
import { launchChromium } from '../support/chromium.ts';
import { startTestExchange, type TestExchange } from '../support/exchange.ts';

declare global {
  var exchangeClient: typeof client;
}

describe('the client in a browser', () => {
  let exchange: TestExchange;
  let browser: Browser;
  let page: Page;
  before(async function () {
    browser = await launchChromium(this);
    exchange = await startTestExchange(this, 'embedded');
    page = await (await browser.newContext({ bypassCSP: true })).newPage();
    await page.goto(`${exchange.baseUrl}/api/health`);
    const { outputFiles } = buildSync({
      entryPoints: ['dist/client/index.js'],
      bundle: true,
      write: false,
      platform: 'browser',
      format: 'iife',
      globalName: 'exchangeClient',
    });
    await page.addScriptTag({ content: outputFiles[0]!.text });
  });
  after(async () => {
    await browser?.close();
    await exchange?.stop();
  });

  it('calls with a key', async () => {
    const names = await page.evaluate(async (apiKey) => {
      const api = globalThis.exchangeClient.createClient({ baseUrl: '/', apiKey });
      await api.post('/api/supply/sources', { body: { name: 'Of a page', type: 'web', domain: 'page.example' } });
      const found: string[] = [];
      for await (const { name } of api.iterate('/api/supply/sources')) found.push(name);
      return found;
    }, exchange.sandboxKey);
    expect(names).to.include('Of a page');
  });

  it('calls and listens with the session that the browser holds', async () => {
    const { email, type } = await page.evaluate(async (login) => {
      const api = globalThis.exchangeClient.createClient({ baseUrl: '/', session: 'browser' });
      await api.post('/api/auth/login', { body: login });
      const { data } = await api.get('/api/auth/session');
      const update = await api.liveMetrics().next();
      return { email: data.user.email as string, type: update.value?.type };
    }, exchange.admin);
    expect([email, type]).to.deep.equal([exchange.admin.email, 'metrics_update']);
  });

  it('says of an error what it says elsewhere', async () => {
    const said = await page.evaluate(async (apiKey) => {
      const { createClient, ExchangeError } = globalThis.exchangeClient;
      const api = createClient({ baseUrl: '/', apiKey });
      const error = await api.get('/api/auth/session').catch((thrown) => thrown);
      return [error instanceof ExchangeError, error.status, error.code];
    }, exchange.sandboxKey);
    expect(said).to.deep.equal([true, 403, 'FORBIDDEN']);
  });
});
