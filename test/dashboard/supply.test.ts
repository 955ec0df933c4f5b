import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { edgeKnows } from './support/ad-requests.ts';
import { failWith } from './support/answers.ts';
import { expectAccessible, expectNoOverflow } from './support/axe.ts';
import type { Complaints } from './support/complaints.ts';
import { type RunningDashboard, startDashboard } from './support/dashboard.ts';
import { settled } from './support/settled.ts';

const HOSTILE = '<img src=x onerror="window.hit=1"> مصدر';
const LIST = /\/api\/supply\/sources\?/;
/** Where the synthetic demand of the sandbox buys. */
const SANDBOX_POOL = 'Sandbox pool';
const MANY = 300;

describe('dashboard: supply', () => {
  let running: RunningDashboard;
  let page: Page;
  let complaints: Complaints;
  before(async function () {
    running = await startDashboard(this);
    ({ page, complaints } = await running.visit('/supply'));
  });
  after(() => running?.stop());
  afterEach(() => complaints?.expectNone());

  async function call(method: string, path: string, body?: object, headers = {}) {
    const answer = await running.exchange.call(method, path, body, headers);
    expect(answer.status, JSON.stringify(answer.body)).to.be.within(200, 201);
    return answer.body;
  }
  const inSandbox = { 'X-Sandbox': 'true' };
  const button = (name: string, of: Page | Locator = page) => of.getByRole('button', { name, exact: true });
  const region = (name: string) => page.getByRole('region', { name, exact: true });
  const told = (text: string) => page.getByRole('alert').filter({ hasText: text }).first().waitFor();
  const newSource = (name: string, fields = {}) =>
    call('POST', '/api/supply/sources', { name, domain: 'site.example', type: 'web', ...fields });
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });

  it('says the next step where there is no publisher, and leads there', async () => {
    await page.getByText('There is no publisher yet').waitFor();
    await page.getByRole('link', { name: 'New publisher' }).last().click();
    await page.getByRole('heading', { level: 1, name: 'New publisher' }).waitFor();
  });

  it('creates a publisher: faults beside their fields, then the snippet, and a test ad with its auction beside it', async () => {
    await page.goto('/supply/new?sandbox=true');
    await page.getByLabel('Name').fill(HOSTILE);
    await page.getByRole('textbox', { name: 'Domain', exact: true }).fill('https://wrong.example/');
    await page.getByLabel('Floor (CPM, USD)').fill('2000');
    await page.getByRole('radio', { name: /^OpenRTB/ }).click();
    await button('Create publisher').click();
    await page.getByText('floor_price_cpm must be at most 1000.').waitFor();
    await page.getByText(/^domain must be an app bundle or a web domain/).waitFor();
    await page.locator(':focus[aria-invalid="true"]').waitFor();
    await page.getByRole('textbox', { name: 'Domain', exact: true }).fill('hostile.example');
    await page.getByLabel('Floor (CPM, USD)').fill('0.25');
    await page.getByRole('combobox', { name: 'Pool' }).click();
    await page.getByRole('option', { name: SANDBOX_POOL }).click();
    await button('Create publisher').click();
    await page.waitForURL(/\/supply\/[0-9a-f-]{36}\?.*tab=integration/);
    await page.getByRole('heading', { level: 1, name: HOSTILE }).waitFor();

    const id = new URL(page.url()).pathname.split('/').at(-1)!;
    const made = await call('GET', `/api/supply/sources/${id}`, undefined, inSandbox);
    expect(made).to.include({ name: HOSTILE, status: 'sandbox', floor_price_cpm: 0.25, domain: 'hostile.example' });
    await edgeKnows(`${running.exchange.edgeUrl}/rtb`, { id, domain: 'hostile.example' });
    await button('Test it now').click();
    const answer = page.getByRole('status', { name: 'The answer' });
    await answer.getByText('An ad came').waitFor();
    await answer.getByText(/"seatbid"/).waitFor();
    await answer.getByRole('link', { name: 'Open its auction' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    const auction = await call(
      'GET',
      `/api/auctions/${new URL(page.url()).pathname.split('/').at(-1)}`,
      undefined,
      inSandbox,
    );
    expect(auction).to.include({ publisher_id: id, outcome: 'filled' });
    expect(auction.auction_id).to.match(/^test-/);
    expect(await page.evaluate('window.hit')).to.equal(undefined);
  });

  it('has a snippet ready for each integration method, with the publisher and the edge in it', async () => {
    const texts = new Set<string>();
    for (const [method, words] of [
      ['js-tag', /^JS Tag/],
      ['vast', /^VAST/],
      ['prebid', /^Prebid/],
      ['openrtb', /^OpenRTB/],
    ] as const) {
      await page.goto('/supply/new');
      await page.getByLabel('Name').fill(`By ${method}`);
      await page.getByRole('textbox', { name: 'Domain', exact: true }).fill('by.example');
      await page.getByRole('radio', { name: words }).click();
      await button('Create publisher').click();
      if (method !== 'js-tag') await page.waitForURL(new RegExp(`method=${method}`));
      await page.getByRole('heading', { level: 1, name: `By ${method}` }).waitFor();
      const id = new URL(page.url()).pathname.split('/').at(-1);
      const text = (await region('Integration').locator('pre').textContent()) ?? '';
      expect(text).to.contain(id).and.to.contain(new URL(running.exchange.edgeUrl).host);
      await button('Copy the snippet').click();
      expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(text);
      texts.add(text.replaceAll(id!, ''));
    }
    expect(texts.size).to.equal(4);
  });

  it('says why a test ad did not come', async () => {
    const { id } = await newSource('In no pool', { domain: 'lonely.example' });
    await edgeKnows(`${running.exchange.edgeUrl}/rtb`, { id, domain: 'lonely.example' }, false);
    await page.goto(`/supply/${id}?tab=integration`);
    await page.getByText('No demand is asked for its ads.').waitFor();
    await button('Test it now').click();
    const answer = page.getByRole('status', { name: 'The answer' });
    await answer.getByText('No ad came').waitFor();
    await answer.getByText('The publisher is in no pool').waitFor();
    await button('Choose a pool in its settings.').click();
    await page.waitForURL(/tab=settings/);
  });

  it('lists hundreds of publishers page by page, with few rows in the page; searched, filtered and sorted in the URL', async () => {
    const pool = await call('POST', '/api/supply/pools', { name: HOSTILE });
    await newSource('Alphabetically first');
    await Promise.all(
      Array.from({ length: MANY }, (_, index) =>
        newSource(`Site ${String(index).padStart(3, '0')}`, {
          type: index < 3 ? 'ctv' : 'web',
          ...(index === 1 && { pool_id: pool.id }),
        }),
      ),
    );
    await page.goto('/supply');
    const { total } = await call('GET', '/api/supply/sources');
    const names = page.getByRole('table', { name: 'Publishers' }).locator('tbody a[href^="/supply/"]');
    await page.getByText(`100 of ${total}`).waitFor();
    await button('Publisher').click();
    await page.waitForURL(/sort=name/);
    await names.first().getByText('Alphabetically first').waitFor();
    await eventually('all pages to be scrolled through', async () => {
      await page.mouse.wheel(0, 4_000);
      return (await page.getByText(`${total} of ${total}`).count()) === 1 && (await row('Site 299').count()) === 1;
    });
    expect(await names.count()).to.be.lessThan(60);

    await button('Publisher').click();
    await page.waitForURL(/sort=-name/);
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('site 0');
    await page.waitForURL(/[?&]q=site\+0|[?&]q=site%200/);
    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'CTV' }).click();
    await page.getByText('3 of 3').waitFor();
    await page.reload();
    await page.getByText('3 of 3').waitFor();
    expect(await names.allTextContents()).to.deep.equal(['Site 002', 'Site 001', 'Site 000']);
    await page.getByRole('combobox', { name: 'Pool' }).click();
    await page.getByRole('option', { name: HOSTILE }).click();
    await page.getByText('1 of 1').waitFor();
    await row('Site 001').getByRole('link', { name: HOSTILE }).waitFor();
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Archived' }).click();
    await button('Clear the filters').click();
    await page.getByText(`100 of ${total}`).waitFor();
    expect(await page.getByRole('searchbox', { name: 'Search by name' }).inputValue()).to.equal('');
    expect(await page.evaluate('window.hit')).to.equal(undefined);
  });

  it('says what fails and asks again, and names what does not exist or is not to be seen', async () => {
    await newSource('Alphabetically second');
    const failing = await failWith(page, 503, LIST);
    await page.goto('/supply?sort=name');
    await told('The exchange is busy');
    await failing.again();
    await button('Try again').click();
    await row('Alphabetically second').waitFor();
    await page.goto('/supply/00000000-0000-4000-8000-00000000dead');
    await told('This does not exist');
    const refusing = await failWith(page, 403, LIST);
    await page.goto('/supply?status=sandbox');
    await told('This is not for you to see');
    await refusing.again();
  });

  it('is accessible, light and dark, at 390 pixels', async () => {
    const { id } = await newSource(`${HOSTILE} ${'long'.repeat(15)}`);
    await page.setViewportSize({ width: 390, height: 844 });
    const tabs = ['figures', 'integration&method=openrtb', 'ads-txt', 'settings'];
    const paths = ['/supply', '/supply/new', ...tabs.map((name) => `/supply/${id}?tab=${name}`)];
    for (const [index, path] of paths.entries()) {
      await page.emulateMedia({ colorScheme: index % 2 === 0 ? 'dark' : 'light' });
      await page.goto(path);
      await page.locator('section[aria-label], table, form').first().waitFor();
      await settled(page);
      await expectAccessible(page);
      await expectNoOverflow(page);
    }
  });
});
