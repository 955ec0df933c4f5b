import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import type { Market } from '../specification/market.ts';
import { bids } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { callJson } from '../support/exchange.ts';
import { ShiftedClock } from '../support/shifted-clock.ts';
import { failWith } from './support/answers.ts';
import { expectAccessible, expectNoOverflow } from './support/axe.ts';
import { bookImpressions } from './support/book-impressions.ts';
import { type RunningDashboard, startDashboard, type VisitedPage } from './support/dashboard.ts';
import { openMarket } from './support/market.ts';

const HOSTILE = '<img src=x onerror="window.hit=1"> مصدر';
const NEWS = `News ${HOSTILE}`;
const BUYER = `Buyer ${HOSTILE}`;
const PASSWORD = 'a password of many words';
const SHOWN = 2;
const DAY_MS = 86_400_000;

const now = new Date();
const MONTH_MS = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
const monthOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 7);
const [CURRENT, PAST] = [monthOf(MONTH_MS), monthOf(MONTH_MS - 1)];

/** As the page writes counts and, of whole cents, money. */
const count = (value: number) => value.toLocaleString('en-US');
const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;

describe('dashboard: a source’s own people', () => {
  let running: RunningDashboard;
  let market: Market;
  let operator: Record<string, string>;
  let buyer: string;
  let rival: string;
  /** Of the one who sells, and of the one who buys. */
  const seller = { email: 'seller@news.example', cookie: '', visit: undefined as VisitedPage | undefined };
  const buying = { email: 'buyer@dsp.example', cookie: '', visit: undefined as VisitedPage | undefined };
  /** An auction of another publisher, that the buyer was not asked in. */
  let elsewhere: string;
  const days = new ShiftedClock();
  before(async function () {
    // What was not there in a month has no statement of it.
    days.moveTo(MONTH_MS - DAY_MS);
    running = await startDashboard(this);
    market = await openMarket(running.exchange, {
      publisher: { name: NEWS },
      bidders: [
        { script: bids({ price: 1000 }), dsp: { name: BUYER } },
        { script: bids({ price: 1 }), dsp: { name: 'Rival' } },
      ],
    });
    days.restore();
    operator = { Cookie: await running.exchange.logIn() };
    [buyer, rival] = market.bidders.map(({ dspId }) => dspId) as [string, string];
    for (let shown = 0; shown < SHOWN; shown++) expect((await fetch((await market.bid()).burl)).status).to.equal(200);
    const other = { name: 'Other', domain: 'other.example', type: 'web' };
    const { id } = await call('POST', '/api/supply/sources', operator, other);
    const unsold = market.request({ site: { id } });
    await eventually('the edge to know the other publisher', async () => (await market.ask(unsold)).status === 204);
    const sold = { publisher: market.publisherId, dsp: buyer, minuteMs: MONTH_MS - DAY_MS, impressions: 40_000 };
    await bookImpressions(running.exchange, sold);
    elsewhere = await eventually('figures, bills and auctions', async () => {
      const bill = await call('GET', `/api/supply/sources/${market.publisherId}/billing?month=${PAST}`, operator);
      const { invoice } = await call('GET', `/api/demand/sources/${buyer}/billing?month=${CURRENT}`, operator);
      const { impressions } = await call('GET', `/api/metrics/publisher/${market.publisherId}`, operator);
      const { auctions } = await call('GET', `/api/auctions?publisher_id=${id}`, operator);
      return bill.pages_sha256 && invoice.wins === SHOWN && impressions === SHOWN && auctions[0]?.id;
    });
  });
  after(async () => {
    days.restore();
    await running?.stop();
    await market?.close();
  });
  afterEach(() => {
    seller.visit?.complaints.expectNone();
    buying.visit?.complaints.expectNone();
  });

  const request = (method: string, path: string, headers: Record<string, string>, body?: object) =>
    callJson(method, `${running.exchange.baseUrl}${path}`, body, headers);
  async function call(method: string, path: string, headers: Record<string, string>, body?: object) {
    const answer = await request(method, path, headers, body);
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).to.be.within(200, 201);
    return answer.body;
  }
  const of = (person: { readonly visit: VisitedPage | undefined; readonly cookie: string }) => {
    const { page } = person.visit!;
    const read = (path: string) => call('GET', path, { Cookie: person.cookie });
    const figure = (name: string) =>
      page
        .locator('dl > div', { has: page.locator(`dt:text-is("${name}")`) })
        .locator('dd')
        .first();
    return {
      page,
      read,
      region: (name: string) => page.getByRole('region', { name, exact: true }),
      button: (name: string, within: Locator = page.locator('body')) =>
        within.getByRole('button', { name, exact: true }),
      shows: (name: string, value: string) => figure(name).getByText(value, { exact: true }).waitFor(),
    };
  };

  /** Invites a user to a source, and follows the link as that user would. */
  async function invite(person: typeof seller, source: { type: string; id: string }, name: string): Promise<string> {
    const { url: link } = await call('POST', '/api/invitations', operator, {
      email: person.email,
      role: 'source',
      source,
    });
    const visit = await running.visit(link, { as: null });
    const { page, context } = visit;
    await page.getByText(`${person.email} is invited to one source: ${name}.`).waitFor();
    await page.getByRole('textbox', { name: 'Password' }).fill('too short');
    await page.getByRole('button', { name: 'Accept and log in' }).click();
    await page.getByText(/^password must/).waitFor();
    if (person === seller) await expectAccessible(page);
    await page.getByLabel('Your name').fill(HOSTILE);
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name }).waitFor();
    const [cookie] = await context.cookies();
    person.cookie = `${cookie!.name}=${cookie!.value}`;
    person.visit = visit;
    return link;
  }

  it('come in by a link that is good once, and find their source alone', async () => {
    const link = await invite(seller, { type: 'publisher', id: market.publisherId }, NEWS);
    const { page } = of(seller);
    const places = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents();
    expect(places).to.deep.equal(['Overview', 'Creatives', 'Auctions', 'Billing', 'Settings']);
    expect(await page.getByRole('switch', { name: 'Sandbox' }).count()).to.equal(0);
    expect(await page.evaluate('window.hit')).to.equal(undefined);
    for (const url of [link, '/invitation#nobody', '/invitation']) {
      const second = await running.visit(url, { as: null });
      await second.page
        .getByRole('alert')
        .getByText(/not good any more|not whole/)
        .waitFor();
      await second.page.getByRole('link', { name: /Log in/ }).click();
      await second.page.waitForURL('**/login');
      second.complaints.expectNone();
      await second.context.close();
    }
    await invite(buying, { type: 'dsp', id: buyer }, BUYER);
  });

  it('who sell see what they earn, who buys, how to build it in, and the line of their ads.txt', async () => {
    const { page, read, region, shows } = of(seller);
    const metrics = await read('/api/source/metrics');
    expect(metrics).to.include({ impressions: SHOWN, revenue_cents: 200 });
    await shows('Revenue', dollars(metrics.revenue_cents));
    await shows('Impressions', count(metrics.impressions));
    await region('Who bought').getByRole('row').filter({ hasText: BUYER }).getByText('$2.00').waitFor();
    expect(await region('Who bought').getByRole('row').count()).to.equal(1);
    const profile = await read('/api/source/profile');
    await region('ads.txt').getByText(profile.verification.expected_line).waitFor();
    await region('Integration').getByText('VAST', { exact: true }).click();
    await page.waitForURL(/method=vast/);
    await page.reload();
    await region('Integration').locator('code').getByText(`${profile.edge_url}/vast?site_id=${profile.id}`).waitFor();
    await page.getByText('7 days', { exact: true }).click();
    await page.waitForURL(/period=7d/);
    await shows('Impressions', count((await read('/api/source/metrics?period=7d')).impressions));
    expect(await page.evaluate('window.hit')).to.equal(undefined);
  });

  it('who buy see what they spend and win, what became of bids, and how they answer', async () => {
    const { read, region, shows } = of(buying);
    const metrics = await read('/api/demand/metrics');
    expect(metrics).to.include({ impressions: SHOWN, spend_cents: 200 });
    await shows('Spend', dollars(metrics.spend_cents));
    await shows('Wins', count(metrics.wins));
    await shows('Bids', count(metrics.bids));
    await region('What became of bids').getByText('Won').waitFor();
    const profile = await read('/api/demand/profile');
    await region('Health').getByText(profile.endpoint_url).waitFor();
    await region('Health').getByText('$2.00').waitFor();
  });

  it('make a key for their programs, and another in its place once that is confirmed', async () => {
    const { page, read, region, button } = of(buying);
    await region('Key').getByText('There is no key yet.').waitFor();
    await button('Make a key').click();
    const key = region('Key').getByRole('textbox', { name: 'Key' });
    await key.waitFor();
    const first = await key.inputValue();
    expect(first).to.equal((await read('/api/demand/key')).key);
    expect(await key.getAttribute('type')).to.equal('password');
    await button('Show the key').click();
    expect(await key.getAttribute('type')).to.equal('text');
    await button('Make a new key').click();
    await button('Make a new key', page.getByRole('dialog')).click();
    await eventually('the other key to be shown', async () => (await key.inputValue()) !== first);
    expect((await request('GET', '/api/demand/profile', { 'X-API-Key': first })).status).to.equal(401);
    const { status } = await request('GET', '/api/demand/profile', { 'X-API-Key': await key.inputValue() });
    expect(status).to.equal(200);
  });

  it('see their own auctions, and in each their own part of it', async () => {
    for (const [person, path] of [
      [seller, '/api/source/auctions'],
      [buying, '/api/demand/auctions'],
    ] as const) {
      const { page, read } = of(person);
      await page.getByRole('link', { name: 'Auctions', exact: true }).click();
      const rows = page.getByRole('table', { name: 'Auctions' }).getByRole('row');
      const { auctions } = await read(`${path}?limit=100`);
      await rows.nth(1).getByRole('link').first().waitFor();
      expect(await rows.count()).to.equal(auctions.length + 1);
      await page.getByRole('combobox', { name: 'Outcome' }).click();
      await page.getByRole('option', { name: 'Blocked' }).click();
      await page.waitForURL(/outcome=blocked/);
      await page.getByRole('button', { name: 'Clear the filters' }).click();
      await rows.nth(1).getByRole('link').first().click();
      await page.waitForURL(/\/auctions\/./);
      const asked = page.getByRole('list', { name: 'Demand sources of the auction' }).getByRole('listitem');
      await asked.first().waitFor();
      const auction = await read(`${path}/${new URL(page.url()).pathname.split('/').at(-1)}`);
      expect(await asked.count()).to.equal(auction.demand.length);
      const text = (await page.locator('main').textContent()) ?? '';
      expect(text).not.to.include('Rival');
      if (person === buying) expect(text).not.to.include(rival.slice(0, 8));
    }
  });

  it('see what they are paid or owe, of the running month and of those that are final', async () => {
    for (const [person, side, type, id] of [
      [seller, 'source', 'publisher', market.publisherId],
      [buying, 'demand', 'dsp', buyer],
    ] as const) {
      const { page, read, region, shows } = of(person);
      await page.getByRole('link', { name: 'Billing', exact: true }).click();
      await shows('Billed impressions', String(SHOWN));
      await shows('Gross', '$2.00');
      const { statements } = await read(`/api/${side}/statements`);
      const rows = page.getByRole('table', { name: 'Final statements' }).getByRole('row');
      expect(await rows.nth(1).getByRole('cell').nth(2).textContent()).to.equal(dollars(statements[0].due_cents));
      await rows.nth(1).getByRole('link').click();
      await page.waitForURL(`**/billing/${type}/${id}/${PAST}`);
      const due = type === 'publisher' ? 'Payout (USD)$54.00' : 'Total due (USD)$60.00';
      await region('Amounts').locator('div', { hasText: due }).first().waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'CSV' }).click(),
      ]);
      expect(download.suggestedFilename()).to.equal(`statement-${PAST}.csv`);
    }
  });

  it('see what is due in the running month with its adjustments', async () => {
    await call('POST', '/api/adjustments', operator, {
      ...{ publisher_id: market.publisherId, dsp_id: buyer, period: PAST, impressions: 400, gross_cents: 60 },
      ...{ reason: 'data-centre', note: 'A list was updated.' },
    });
    for (const [person, side, label] of [
      [seller, 'source', 'Payout so far'],
      [buying, 'demand', 'Due so far'],
    ] as const) {
      const { page, read, shows } = of(person);
      const due = await eventually('the adjustment in the bill', async () => {
        const bill = await read(`/api/${side}/billing`);
        return bill.due_after_adjustments_cents ?? bill.invoice?.due_after_adjustments_cents;
      });
      expect(due).to.be.within(100, 199);
      await page.goto('/billing');
      await shows(label, dollars(due));
    }
  });

  it('find nothing of others, neither in the dashboard nor through the API', async () => {
    const others = ['/supply', '/pools', '/demand', `/demand/${rival}`, '/campaigns', '/start'];
    for (const person of [seller, buying]) {
      const { page } = of(person);
      const bill = `/billing/${person === seller ? `dsp/${buyer}` : `publisher/${market.publisherId}`}/${PAST}`;
      for (const path of [...others, bill]) {
        await page.goto(path);
        await page.getByRole('heading', { level: 1, name: 'This is not for you to see' }).waitFor();
      }
      await page.goto(`/auctions/${elsewhere}`);
      await page.getByRole('alert').getByText('This does not exist').waitFor();
      const own = person === seller ? 'source' : 'demand';
      for (const [path, status] of [
        ['/api/supply/sources', 403],
        [`/api/demand/sources/${rival}/billing`, 403],
        ['/api/overview', 403],
        ['/api/statements', 403],
        [`/api/${own === 'source' ? 'demand' : 'source'}/profile`, 403],
        [`/api/${own}/auctions/${elsewhere}`, 404],
      ] as const) {
        expect((await request('GET', path, { Cookie: person.cookie })).status, path).to.equal(status);
      }
    }
  });

  it('see what fails, and ask again', async () => {
    const { page, region, button } = of(seller);
    const failing = await failWith(page, 503, /\/api\/source\/profile$/);
    await page.goto('/');
    const alert = page.getByRole('alert').filter({ hasText: 'The store does not answer.' });
    await alert.first().waitFor();
    await failing.again();
    await button('Try again', alert.first()).click();
    await region('ads.txt').waitFor();
  });

  it('can use all of it, light and dark, at 390 pixels', async () => {
    for (const [person, own] of [
      [seller, `publisher/${market.publisherId}`],
      [buying, `dsp/${buyer}`],
    ] as const) {
      const { page } = of(person);
      await page.setViewportSize({ width: 390, height: 844 });
      const paths = ['/', '/auctions', '/billing', `/billing/${own}/${PAST}`, '/settings'];
      for (const [index, path] of paths.entries()) {
        await page.emulateMedia({ colorScheme: index % 2 === 0 ? 'light' : 'dark' });
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.locator('section[aria-label], table, form').first().waitFor();
        await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
        await expectAccessible(page);
        await expectNoOverflow(page);
      }
    }
  });
});
