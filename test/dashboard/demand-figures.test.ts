import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { expectAccessible, expectNoOverflow } from './support/axe.ts';
import type { Complaints } from './support/complaints.ts';
import { type RunningDashboard, startDashboard } from './support/dashboard.ts';
import { settled } from './support/settled.ts';

/** The synthetic demand source that bids for everything in the sandbox. */
const HIGH_BIDDER = '00000000-0000-4000-8000-0000000000d0';
const SHOWN = 3;

describe('dashboard: figures of a demand source', () => {
  let running: RunningDashboard;
  let page: Page;
  let bids = 0;
  let complaints: Complaints;
  const inSandbox = { 'X-Sandbox': 'true' };

  before(async function () {
    running = await startDashboard(this);
    let auctions = 0;
    let shown = 0;
    while (shown < SHOWN) {
      const request = await call('GET', '/api/sandbox/test-bid?scenario=web-us-news');
      const answer = await fetch(`${running.exchange.edgeUrl}/rtb`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-API-Key': running.exchange.sandboxKey },
        body: JSON.stringify(request),
      });
      auctions += 1;
      const pixel = /src=\\"([^"\\]+\/track\/impression[^"\\]+)\\"/.exec(await answer.text())?.[1];
      // Others bid by chance, and win some.
      if (!pixel?.includes(`dsp=${HIGH_BIDDER}`)) continue;
      await fetch(pixel.replaceAll('&amp;', '&'));
      shown += 1;
    }
    await eventually('the figures of what was sold', async () => {
      const stats = await call('GET', `/api/demand/sources/${HIGH_BIDDER}/stats`);
      const feed = await call('GET', `/api/dsp/${HIGH_BIDDER}/feed?type=impression`);
      bids = stats.bids;
      return stats.impressions === SHOWN && bids === auctions && feed.events.length === SHOWN;
    });
    // An edge that has just heard of a budget keeps back until it has a part of it.
    await call('PATCH', `/api/demand/dsp/${HIGH_BIDDER}/budget`, { daily_budget_cents: 1_000 });
    ({ page, complaints } = await running.visit(`/demand/${HIGH_BIDDER}?sandbox=true`));
  });
  after(async () => {
    complaints?.expectNone();
    await running?.stop();
  });

  async function call(method: string, path: string, body?: object) {
    const answer = await running.exchange.call(method, path, body, inSandbox);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body;
  }
  const region = (name: string) => page.getByRole('region', { name, exact: true });
  const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
  /** The value beside the name of a figure. */
  const figure = (name: string) => page.locator('dl > div', { has: page.locator(`dt:text-is("${name}")`) }).first();

  it('shows its health, what it bid and bought, and both over time', async () => {
    await region('Health now').getByText('Healthy').waitFor();
    await figure('Bids').getByText(String(bids), { exact: true }).waitFor();
    await figure('Impressions').getByText(String(SHOWN), { exact: true }).waitFor();
    await region('Over time').getByText('As a table').click();
    expect(await region('Over time').getByRole('row').count()).to.be.greaterThan(24);
    await page.getByText('7 days', { exact: true }).click();
    await page.waitForURL(/period=7d/);
    await page.getByRole('row').nth(8).waitFor();
  });

  it('shows what became of its bids as a bar with reasons, and leads to the auctions of a reason', async () => {
    await tab('Wins and losses');
    await page.waitForURL(/tab=outcomes/);
    const { won, lost } = await call('GET', `/api/demand/sources/${HIGH_BIDDER}/funnel`);
    expect(won + lost.total).to.equal(bids);
    await figure('Won').getByText(String(won), { exact: true }).waitFor();
    await page.getByRole('list', { name: 'What became of the auctions' }).getByText('Answered with bids').waitFor();
    for (const { reason } of lost.reasons) {
      const link = region('What became of its bids')
        .getByRole('link')
        .and(page.locator(`[href*="reason=${reason}"]`));
      expect(await link.getAttribute('href')).to.include(`dsp=${HIGH_BIDDER}`);
    }
  });

  it('shows figures by creative, in the order that is asked for', async () => {
    await tab('Creatives');
    const cells = page.getByRole('table', { name: 'Figures by creative' }).getByRole('row').locator('td:first-child');
    await cells.first().waitFor();
    await page.getByRole('button', { name: 'Creative', exact: true }).click();
    await page.waitForURL(/order=creative_id/);
    const names = await cells.allTextContents();
    expect(names).to.deep.equal([...names].sort());
    expect(names.length).to.be.greaterThan(0);
  });

  it('shows the spend of today against an even plan of the budget, and changes the budget', async () => {
    await tab('Budget');
    await figure('Daily budget').getByText('$10.00').waitFor();
    const plan = region('Spend today against plan');
    await plan.getByText('As a table').click();
    const last = plan.getByRole('row').last();
    expect(await last.getByRole('cell').allTextContents()).to.deep.equal(['—', '$10.00']);
    await page.getByRole('button', { name: 'Change the budget' }).click();
    const dialog = page.getByRole('dialog', { name: 'Daily budget' });
    await dialog.getByLabel('Daily budget').fill('2000000000');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('daily_budget_cents must be at most 100000000000.').waitFor();
    await dialog.getByLabel('Daily budget').fill('25.75');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await figure('Daily budget').getByText('$25.75').waitFor();
    expect((await call('GET', `/api/demand/dsp/${HIGH_BIDDER}/budget`)).daily_budget_cents).to.equal(2_575);
  });

  it('shows the feed, event by event, and those of one kind alone', async () => {
    await tab('Feed');
    const rows = page.getByRole('table', { name: 'Events' }).getByRole('row');
    await rows.filter({ hasText: 'Win' }).first().waitFor();
    await region('Feed').getByText('Impressions', { exact: true }).click();
    await page.waitForURL(/event=impression/);
    await page.getByText(`${SHOWN} shown`).waitFor();
    expect(await rows.filter({ hasText: 'Win' }).count()).to.equal(0);
  });

  it('offers a copy in the sandbox where a live bidder cannot be tested', async () => {
    const made = await running.exchange.call('POST', '/api/demand/sources', {
      name: 'Live one',
      mode: 'rtb',
      endpoint_url: 'https://bid.example/openrtb',
    });
    await page.goto(`/demand/${made.body.id}?tab=test`);
    await page.getByRole('link', { name: 'Create the same in the sandbox' }).click();
    await page.waitForURL(/sandbox=true/);
    expect(await page.getByLabel('Name').inputValue()).to.equal('Live one');
    expect(await page.getByLabel('Endpoint URL').inputValue()).to.equal('https://bid.example/openrtb');
  });

  it('is accessible, light and dark, at 390 pixels', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const paths = ['/demand?', '/demand/new?', `/demand/${HIGH_BIDDER}?`].concat(
      ['outcomes', 'creatives', 'budget', 'pools', 'test', 'feed', 'settings'].map(
        (name) => `/demand/${HIGH_BIDDER}?tab=${name}&`,
      ),
    );
    for (const [index, path] of paths.entries()) {
      await page.emulateMedia({ colorScheme: index % 2 === 0 ? 'light' : 'dark' });
      await page.goto(`${path}sandbox=true`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('section[aria-label], table, form').first().waitFor();
      await settled(page);
      await expectAccessible(page);
      await expectNoOverflow(page);
    }
  });
});
