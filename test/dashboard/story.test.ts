import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { BROWSER_USER_AGENT } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { PROVIDER_PAIRS } from '../support/exchange.ts';
import { type PublisherSite, startPublisherSite } from '../support/publisher-site.ts';
import { type RunningDashboard, startDashboard } from './support/dashboard.ts';

/** The publisher's own name, which leads to the test's server. */
const DOMAIN = 'dailyplanet.example';
const AD = '<body style="margin:0;background:#0b6b5f;color:#fff;font:600 24px sans-serif">Walk further</body>';
const MONTH = new Date().toISOString().slice(0, 7);

for (const pair of PROVIDER_PAIRS)
  describe(`dashboard: from logging in to a printed bill, on ${pair}`, () => {
    let running: RunningDashboard;
    let site: PublisherSite;
    let page: Page;
    let snippet = '';
    let publisherId = '';

    before(async function () {
      site = await startPublisherSite();
      running = await startDashboard(this, pair, {}, [`--host-resolver-rules=MAP ${DOMAIN} localhost`]);
      const visited = await running.visit('/', { as: null });
      page = visited.page;
    });
    after(async () => {
      await running?.stop();
      await site?.close();
    });

    const link = (name: string) => page.getByRole('link', { name, exact: true });
    const button = (name: string, of: Page | Locator = page) => of.getByRole('button', { name, exact: true });
    const written = (name: string, of: Page | Locator = page) => of.getByRole('textbox', { name, exact: true });
    const goTo = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();
    const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
    const region = (name: string) => page.getByRole('region', { name, exact: true });
    const figure = (of: string, name: string) =>
      region(of)
        .locator('dl > div', { has: page.locator(`dt:text-is("${name}")`) })
        .first()
        .locator('dd')
        .first();

    it('logs in', async () => {
      await page.getByLabel('Email').fill(running.exchange.admin.email);
      await page.getByLabel('Password').fill(running.exchange.admin.password);
      await button('Log in').click();
      await heading('Overview');
      await page.getByText('From here to a first ad').waitFor();
    });

    it('makes a pool, a publisher in it, and is given its tag', async () => {
      await goTo('Pools');
      await button('New pool').first().click();
      const dialog = page.getByRole('dialog', { name: 'New pool' });
      await written('Name', dialog).fill('News');
      await button('Create pool', dialog).click();
      await dialog.waitFor({ state: 'detached' });
      await goTo('Supply');
      await page.getByRole('link', { name: 'New publisher' }).first().click();
      await written('Name').fill('The Daily Planet');
      await written('Domain').fill(DOMAIN);
      await page.getByRole('combobox', { name: 'Pool' }).click();
      await page.getByRole('option', { name: 'News' }).click();
      await page.getByRole('radio', { name: /JS tag/i }).click();
      await button('Create publisher').click();
      await heading('The Daily Planet');
      publisherId = new URL(page.url()).pathname.split('/').at(-1)!;
      await button('Copy the snippet').click();
      snippet = await page.evaluate('navigator.clipboard.readText()');
      expect(snippet).to.include(publisherId);
    });

    it('makes a buyer with a campaign', async () => {
      await goTo('Demand');
      await link('New demand source').or(link('Create demand source')).first().click();
      await page.getByRole('radio', { name: /delegate|in the exchange/i }).click();
      await written('Name').fill('Northern Outdoor');
      await page.getByRole('combobox', { name: 'Pools' }).click();
      await page.getByRole('option', { name: 'News' }).click();
      await page.keyboard.press('Escape');
      await button('Create demand source').click();
      await heading('Northern Outdoor is created');
      await link('Make a campaign').click();
      await heading('New campaign');
      await written('Name').fill('Spring');
      await written('Bid (CPM)').fill('40');
      const creative = page.getByRole('group', { name: 'Creative 1' });
      await creative.getByRole('combobox', { name: 'Made of' }).click();
      await page.getByRole('option', { name: 'HTML markup' }).click();
      await written('Markup', creative).fill(AD);
      await written('Width', creative).fill('300');
      await written('Height', creative).fill('250');
      await button('Create campaign').click();
      await heading('Spring');
      await page.getByRole('article').frameLocator('iframe').getByText('Walk further').waitFor();
    });

    it('sees the ad in a page of the publisher, and the revenue move on a page that was open before', async () => {
      await goTo('Overview');
      await figure('Today', 'Revenue').getByText('$0.00', { exact: true }).waitFor();
      const home = `<!doctype html><meta charset="utf-8"><title>News</title><h1>News</h1>${snippet}`;
      const address = site.page('/', home).replace('localhost', DOMAIN);
      const reader = await running.browser.newPage({ userAgent: BROWSER_USER_AGENT });
      await reader.goto(address);
      await reader.frameLocator('iframe').frameLocator('iframe').getByText('Walk further').waitFor();
      await reader.locator('[data-ad-status="rendered"], [data-ad-status="viewable"]').waitFor();
      await reader.close();
      await figure('Today', 'Shown').getByText('1', { exact: true }).waitFor();
      // 40 dollars for a thousand.
      await figure('Today', 'Revenue').getByText('$0.04', { exact: true }).waitFor();
    });

    it('finds out in two clicks from the publisher why a request was not filled', async () => {
      const skyscraper = snippet.replace(/data-ad-sizes="[^"]*"/, 'data-ad-sizes="160x600"');
      expect(skyscraper).to.not.equal(snippet);
      const reader = await running.browser.newPage({ userAgent: BROWSER_USER_AGENT });
      await reader.goto(site.page('/side', skyscraper).replace('localhost', DOMAIN));
      await reader.locator('[data-ad-status="empty"]').waitFor({ state: 'attached' });
      await reader.close();
      await eventually('the auction to be recorded', async () => {
        const path = `/api/auctions?publisher_id=${publisherId}&outcome=unfilled`;
        return (await running.exchange.call('GET', path)).body.auctions.length > 0;
      });
      await goTo('Supply');
      await link('The Daily Planet').click();
      await link('Why no fill?').click();
      const row = page.getByRole('table', { name: 'Auctions' }).getByRole('row').nth(1);
      await row.getByText('Unfilled').waitFor();
      await row.getByRole('link').first().click();
      await page.getByText('Northern Outdoor').first().waitFor();
      await page.getByText('The demand source has no campaign that matched').first().waitFor();
    });

    it('prints the bill, whose amounts are those of the API', async () => {
      await goTo('Billing');
      await link('The Daily Planet').click();
      await heading(/^The Daily Planet, /);
      const path = `/api/supply/sources/${publisherId}/billing?month=${MONTH}`;
      const { body } = await running.exchange.call('GET', path);
      expect(body.payout).to.include({ impressions: 1, gross_revenue_cents: 4, net_payout_cents: 4 });
      await region('Amounts').getByText('$0.04').first().waitFor();
      // What a click on Print opens is the browser's own; the page that it prints is looked at as a file.
      const printed = page.evaluate('new Promise((done) => { window.print = () => done(true); })');
      await button('Print').click();
      expect(await printed).to.equal(true);
      const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
      expect(pdf.match(/\/Type\s*\/Page\b/g)).to.have.lengthOf(1);
    });
  });
