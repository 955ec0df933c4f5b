import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { verification } from '../../actors/verification/verification.ts';
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

describe('dashboard: supply', function () {
  this.timeout(60_000);
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
  const tab = (name: string) => page.getByRole('tab', { name, exact: true });
  const told = (text: string) => page.getByRole('alert').filter({ hasText: text }).first().waitFor();
  const confirmWith = async (name: string) => button(name, page.getByRole('dialog')).click();
  const newSource = (name: string, fields = {}) =>
    call('POST', '/api/supply/sources', { name, domain: 'site.example', type: 'web', ...fields });
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  /** What a session alone may read, as the page itself does. */
  const readAsUser = (path: string) =>
    page.evaluate(`fetch('${path}').then((answer) => answer.json())`) as Promise<{ key: string }>;

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
      expect(text).to.contain(id).and.to.contain(running.exchange.edgeUrl);
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
    await names.first().getByText('By js-tag').waitFor();
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

  it('shows the line that ads.txt lacks, why a check found nothing, what a file says, and that it is verified', async () => {
    const { id } = await newSource('With a file', { domain: 'news.localhost' });
    const read = () => call('GET', `/api/supply/sources/${id}/verification`);
    const { expected_line: line } = await read();
    await page.goto(`/supply/${id}?tab=ads-txt`);
    await region('ads.txt').getByText('Add this line to https://news.localhost/ads.txt:').waitFor();
    expect(await region('ads.txt').locator('pre').textContent()).to.equal(line);
    expect(line).to.contain(id);
    await button('Check again').click();
    await told('The last check found nothing out');
    const { error } = await read();
    await told(error);

    const { accountId } = (await running.exchange.exchange.node.messenger.ask(verification, id, 'checked', {
      ...{ accountId: '00000000-0000-4000-8000-000000000001', partnerId: null, sandbox: false },
      ...{ publisherName: 'With a file', about: 'web news.localhost ', expectedLine: line, atMs: Date.now() },
      outcome: {
        kind: 'failed',
        domain: 'news.localhost',
        fileUrl: 'https://news.localhost/ads.txt',
        reason: 'exchange_not_listed',
      },
    })) as { accountId: string };
    await page.reload();
    await told('The file does not name this exchange. (https://news.localhost/ads.txt)');
    await running.exchange.exchange.node.messenger.ask(verification, id, 'checked', {
      ...{ accountId, partnerId: null, sandbox: false },
      ...{ publisherName: 'With a file', about: 'web news.localhost ', expectedLine: line, atMs: Date.now() },
      outcome: {
        ...{
          kind: 'verified',
          domain: 'news.localhost',
          fileUrl: 'https://news.localhost/ads.txt',
          relationship: 'RESELLER',
        },
        ...{ certificationId: null, ownerDomain: null, managerDomains: [], warnings: ['relationship_differs'] },
      },
    });
    await page.reload();
    await region('ads.txt').getByText('This line was found:').waitFor();
    await region('ads.txt').getByText('Verified', { exact: true }).waitFor();
    await told('DIRECT or RESELLER in the file is not what the seller type');
  });

  it('makes a source key, hides and shows it, and makes another once that is confirmed', async () => {
    const { id } = await newSource('Key holder');
    await page.goto(`/supply/${id}?tab=settings`);
    await button('Make a key').click();
    const key = region('Source key').getByRole('textbox', { name: 'Key', exact: true });
    const first = (await readAsUser(`/api/supply/sources/${id}/key`)).key;
    expect(await key.inputValue()).to.equal(first);
    await button('Show the key').click();
    expect(await key.getAttribute('type')).to.equal('password');
    await button('Make a new key').click();
    await confirmWith('Make a new key');
    await eventually('the new key', async () => (await key.inputValue()) !== first);
    expect(await key.inputValue()).to.equal((await readAsUser(`/api/supply/sources/${id}/key`)).key);
  });

  it('invites people of a publisher from its settings', async () => {
    const { id } = await newSource('With people');
    await page.goto(`/supply/${id}?tab=settings`);
    await button('Invite').click();
    await page.getByRole('dialog').getByLabel('Email').fill('people@site.example');
    await button('Make the link', page.getByRole('dialog')).click();
    await page
      .getByRole('dialog')
      .getByText(/\/invitation#/)
      .waitFor();
  });

  it('makes a sandbox publisher live, and archives it, each once it is confirmed', async () => {
    const { id } = await newSource('Rehearsed', { sandbox: true });
    await page.goto(`/supply/${id}?sandbox=true`);
    await button('Make it live').click();
    await confirmWith('Make it live');
    await page.waitForURL((url) => !url.searchParams.has('sandbox') && url.searchParams.get('tab') === 'integration');
    expect((await call('GET', `/api/supply/sources/${id}`)).status).to.equal('active');
    await button('Archive').click();
    await page.getByRole('dialog').getByText('this cannot be undone').waitFor();
    await button('Cancel', page.getByRole('dialog')).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await call('GET', `/api/supply/sources/${id}`)).status).to.equal('active');
    await button('Archive').click();
    await confirmWith('Archive');
    await page.waitForURL(/\/supply$/);
    expect((await call('GET', `/api/supply/sources/${id}`)).status).to.equal('archived');
    await page.goto(`/supply/${id}?tab=settings`);
    await told('It is archived');
    await tab('Figures').waitFor();
    expect(await tab('Settings').count()).to.equal(0);
  });

  it('says what fails and asks again, and names what does not exist or is not to be seen', async () => {
    const failing = await failWith(page, 503, LIST);
    await page.goto('/supply?sort=name');
    await told('The exchange is busy');
    await failing.again();
    await button('Try again').click();
    await row('By js-tag').waitFor();
    await page.goto('/supply/00000000-0000-4000-8000-00000000dead');
    await told('This does not exist');
    const refusing = await failWith(page, 403, LIST);
    await page.goto('/supply?status=sandbox');
    await told('This is not for you to see');
    await refusing.again();
  });

  it('can be used by everybody, light and dark, at 390 pixels', async () => {
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
