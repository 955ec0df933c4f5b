import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { bids, noBid, type ScriptedBidder, startBidder } from '../support/bidder.ts';
import { BROWSER_USER_AGENT } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { askForAd, edgeKnows } from './support/ad-requests.ts';
import type { Complaints } from './support/complaints.ts';
import { type RunningDashboard, startDashboard } from './support/dashboard.ts';

const SHOWN = 3;
const PRICE = 20;
const DOMAIN = 'daily.example';

describe('dashboard: figures of a publisher', () => {
  let running: RunningDashboard;
  let bidder: ScriptedBidder;
  let silentBidder: ScriptedBidder;
  let page: Page;
  let complaints: Complaints;
  let id: string;
  /** A demand source that never bids. */
  let silent: string;

  before(async function () {
    running = await startDashboard(this);
    bidder = await startBidder(bids({ price: PRICE }));
    const pool = await call('POST', '/api/supply/pools', { name: 'Premium news' });
    const dsp = await call('POST', '/api/demand/sources', { name: 'East', mode: 'rtb', endpoint_url: bidder.url });
    await call('POST', `/api/demand/sources/${dsp.id}/pools/${pool.id}`);
    silentBidder = await startBidder(noBid());
    ({ id: silent } = await call('POST', '/api/demand/sources', {
      ...{ name: 'West', mode: 'rtb', endpoint_url: silentBidder.url },
    }));
    await call('POST', `/api/demand/sources/${silent}/pools/${pool.id}`);
    const source = { name: 'Daily', domain: DOMAIN, type: 'web', pool_id: pool.id };
    ({ id } = await call('POST', '/api/supply/sources', source));

    const edge = `${running.exchange.edgeUrl}/rtb`;
    const publisher = { id, domain: DOMAIN };
    const sold = [await edgeKnows(edge, publisher)];
    while (sold.length < SHOWN) sold.push(await askForAd(edge, publisher));
    for (const { burl } of sold) expect((await fetch(burl!)).status).to.be.lessThan(300);
    expect((await askForAd(edge, publisher, { bidfloor: 50 })).status).to.equal(204);
    for (const _ of [1, 2]) expect((await askForAd(edge, { id, domain: 'other.example' })).status).to.equal(403);
    await eventually('the figures of what was sold', async () => {
      const { rendered, blocked } = await call('GET', `/api/supply/sources/${id}/funnel`);
      const { auctions } = await call('GET', `/api/auctions?publisher_id=${id}&outcome=unfilled`);
      return (
        rendered === SHOWN &&
        blocked.total === 2 &&
        auctions.some(({ reason }: { reason: string }) => reason === 'below-floor')
      );
    });
    ({ page, complaints } = await running.visit('/supply'));
  });
  after(async () => {
    complaints?.expectNone();
    await running?.stop();
    await bidder?.close();
    await silentBidder?.close();
  });

  async function call(method: string, path: string, body?: object) {
    const answer = await running.exchange.call(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).to.be.within(200, 201);
    return answer.body;
  }
  const region = (name: string) => page.getByRole('region', { name, exact: true });
  /** The value beside the name of a figure. */
  const figure = (name: string) => page.locator('dl > div', { has: page.locator(`dt:text-is("${name}")`) }).first();
  const bars = async (name: string) => {
    const texts = await page.getByRole('list', { name }).getByRole('listitem').allInnerTexts();
    return texts.map((text) => text.replaceAll(/\n|\t/g, '').replace(/(\d) (\d)/, '$1$2'));
  };

  it('explains in two clicks from the list why a request was not filled', async () => {
    await page.getByRole('link', { name: 'Daily', exact: true }).click();
    await page.getByRole('link', { name: 'Why no fill?' }).click();
    await page.waitForURL((url) => url.searchParams.get('publisher') === id);
    const rows = page.getByRole('table', { name: 'Auctions' }).locator('tbody tr');
    await rows.filter({ hasText: 'Below floor' }).first().waitFor();
    await rows.filter({ hasText: 'The highest bid, 20 CPM, was below the floor of 50 CPM.' }).first().waitFor();
    const outcomes = await rows.locator('td:nth-child(2)').allTextContents();
    expect(new Set(outcomes)).to.deep.equal(new Set(['Unfilled']));
    await region('Why').getByText('What to do:').first().waitFor();
  });

  it('shows what it earned, and where its requests went, in the figures of the API', async () => {
    await page.goto(`/supply/${id}`);
    const stats = await call('GET', `/api/supply/sources/${id}/stats`);
    const funnel = await call('GET', `/api/supply/sources/${id}/funnel`);
    expect(stats.revenue_cents).to.be.greaterThan(0);
    const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
    await figure('Impressions').getByText(String(SHOWN), { exact: true }).waitFor();
    await figure('Revenue').getByText(dollars(stats.revenue_cents)).waitFor();
    await figure('eCPM').getByText(dollars(stats.ecpm_cents)).waitFor();
    await figure('Fill rate')
      .getByText(`${Math.round(stats.fill_rate * 1000) / 10}%`)
      .waitFor();
    const step = (name: string, count: number, of: number) => `${name}${count}${Math.round((count / of) * 1000) / 10}%`;
    expect(await bars('Steps from request to impression')).to.deep.equal([
      step('Requests', funnel.requests, funnel.requests),
      step('Auctions', funnel.auctions, funnel.requests),
      `Imps${funnel.imps}`,
      step('Filled', funnel.filled, funnel.imps),
      `Shown${SHOWN}`,
    ]);
    expect(await bars('Blocked requests by reason')).to.deep.equal(['Site mismatch2100%']);
    await region('Over time').getByText('As a table').click();
    await region('Over time')
      .getByRole('cell', { name: String(SHOWN), exact: true })
      .waitFor();
  });

  it('keeps the period and the region in the URL, and says so where nothing was shown', async () => {
    await page.goto(`/supply/${id}`);
    await page.getByText('7 days', { exact: true }).click();
    await page.waitForURL(/period=7d/);
    await page.getByRole('combobox', { name: 'Region' }).click();
    await page.getByRole('option', { name: 'NYC' }).click();
    await page.waitForURL(/region=nyc/);
    await page.reload();
    await page.getByText('Nothing was shown in this time').waitFor();
    expect(await page.getByRole('radio', { name: '7 days' }).isChecked()).to.equal(true);
    await figure('Impressions').getByText('0', { exact: true }).waitFor();
    await region('Blocked requests').getByText('None was blocked').waitFor();
  });

  it('shows on the bill what invalid traffic called for, and what of it a valid call has billed', async () => {
    const { pixel } = await askForAd(`${running.exchange.edgeUrl}/rtb`, { id, domain: DOMAIN });
    for (const agent of ['Googlebot/2.1 (+http://www.google.com/bot.html)', BROWSER_USER_AGENT]) {
      expect((await fetch(pixel!, { headers: { 'User-Agent': agent } })).status).to.equal(200);
    }
    const bill = await eventually('the impression on the bill', async () => {
      const { payout, invalid_traffic: invalid } = await call('GET', `/api/supply/sources/${id}/billing`);
      return payout.impressions === SHOWN + 1 && invalid?.billed_later === 1 && invalid;
    });
    expect(bill.total).to.equal(1);
    await page.goto(`/billing/publisher/${id}/${new Date().toISOString().slice(0, 7)}`);
    await region('Invalid traffic').waitFor();
    const rows = await region('Invalid traffic').locator('> *').allInnerTexts();
    expect(rows.map((row) => row.replaceAll(/\s+/g, ' ').trim())).to.deep.equal([
      'Called for by invalid traffic, and not billed then',
      `Named crawler: ${bill.reasons[0].description} 1`,
      'Of such impressions: billed since, as a valid call followed 1',
    ]);
  });

  it('tells of a demand source that answers without a bid and without a reason how often it did', async () => {
    const { no_bids: noBids } = await call('GET', `/api/demand/sources/${silent}/funnel`);
    expect(noBids.total).to.be.greaterThan(0);
    expect(noBids.reasons).to.deep.equal([]);
    await page.goto(`/demand/${silent}?tab=outcomes`);
    await page.getByText(`${noBids.total}, without a reason (nbr).`).waitFor();
  });
});
