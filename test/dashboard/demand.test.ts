import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { bids, type ScriptedBidder, startBidder } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { failWith } from './support/answers.ts';
import { expectAccessible } from './support/axe.ts';
import type { Complaints } from './support/complaints.ts';
import { type RunningDashboard, startDashboard } from './support/dashboard.ts';

const HOSTILE = '<img src=x onerror="window.hit=1"> مصدر';
const LIST = /\/api\/demand\/sources(\?|$)/;

describe('dashboard: demand', () => {
  let running: RunningDashboard;
  let bidder: ScriptedBidder;
  let page: Page;
  let complaints: Complaints;
  before(async function () {
    running = await startDashboard(this);
    ({ page, complaints } = await running.visit('/demand'));
    bidder = await startBidder(bids({ price: 20 }));
  });
  after(async () => {
    await running?.stop();
    await bidder?.close();
  });
  afterEach(() => complaints?.expectNone());

  async function call(method: string, path: string, body?: object, headers = {}) {
    const answer = await running.exchange.call(method, path, body, headers);
    expect(answer.status, JSON.stringify(answer.body)).to.be.within(200, 201);
    return answer.body;
  }
  const visit = (path: string) => page.goto(path);
  const button = (name: string, of: Page | Locator = page) => of.getByRole('button', { name, exact: true });
  const region = (name: string) => page.getByRole('region', { name, exact: true });
  const told = (text: string) => page.getByRole('alert').filter({ hasText: text }).first().waitFor();
  const confirmWith = async (name: string) => button(name, page.getByRole('dialog')).click();
  const newSource = (name: string, fields = {}) =>
    call('POST', '/api/demand/sources', { name, mode: 'rtb', endpoint_url: `${bidder.url}`, ...fields });

  it('says the next step where there is no demand source, and leads there', async () => {
    await page.getByText('No demand source yet').waitFor();
    await page.getByRole('link', { name: 'Create demand source' }).last().click();
    await page.getByRole('heading', { level: 1, name: 'New demand source' }).waitFor();
  });

  it('creates a bidder: faults beside their fields, its pools, its key shown, and a test bid with its answer', async () => {
    const pool = await call('POST', '/api/supply/pools', { name: 'Premium news' });
    await visit('/demand/new?sandbox=true&scenario=web-us-news');
    await page.getByLabel('Name').fill(HOSTILE);
    await page.getByLabel('Endpoint URL').fill('ftp://bid.example/');
    await page.getByLabel('Time to answer').fill('500');
    await button('Create demand source').click();
    await page.getByText('timeout_ms must be at most 150.').waitFor();
    expect(await page.getByLabel('Time to answer').getAttribute('aria-invalid')).to.equal('true');
    await page.locator(':focus[aria-invalid="true"]').waitFor();
    await page.getByLabel('Time to answer').fill('150');
    await button('Create demand source').click();
    await page.getByText('endpoint_url must be an http or https URL.').waitFor();
    expect(await page.getByLabel('Endpoint URL').getAttribute('aria-invalid')).to.equal('true');
    await page.getByLabel('Endpoint URL').fill(bidder.url);
    await page.getByLabel('Daily budget').fill('12.5');
    await page.getByRole('combobox', { name: 'Pools' }).click();
    await page.getByRole('option', { name: 'Premium news' }).click();
    await page.keyboard.press('Escape');
    await button('Create demand source').click();
    await region('Key').getByText(/^dsp_/).waitFor();

    const id = new URL(page.url()).searchParams.get('made');
    const made = await call('GET', `/api/demand/sources/${id}`, undefined, { 'X-Sandbox': 'true' });
    expect(made).to.include({ name: HOSTILE, status: 'sandbox', daily_budget_cents: 1250, timeout_ms: 150 });
    const { pools } = await call('GET', `/api/demand/sources/${id}/pools`, undefined, { 'X-Sandbox': 'true' });
    expect(pools.map((one: { id: string }) => one.id)).to.deep.equal([pool.id]);

    await button('Send a test bid request').click();
    await page.getByText('It would win').waitFor();
    await region('Test bid').getByText('advertiser.test').first().waitFor();
    expect(await page.evaluate('window.hit')).to.equal(undefined);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Go to its page' }).click();
    await page.getByRole('heading', { level: 1, name: HOSTILE }).waitFor();
  });

  it('creates a delegate by the keyboard, and leads on to its strategy', async () => {
    await visit('/demand/new?mode=delegate');
    await page.getByLabel('Name').focus();
    await page.keyboard.type('Northern Outdoor');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Northern Outdoor is created' }).waitFor();
    await region('Key').getByText(/^dsp_/).waitFor();
    await page.getByRole('link', { name: 'Write its strategy' }).click();
    await page.waitForURL(/\/demand\/[0-9a-f-]{36}\?tab=strategy/);
    await page.getByRole('tab', { name: 'Strategy', selected: true }).waitFor();
    await page
      .getByRole('tabpanel', { name: 'Strategy' })
      .getByText(/strategy/i)
      .first()
      .waitFor();
  });

  it('lists sources with their health, searched and filtered in the URL, and resets a breaker once that is confirmed', async () => {
    await newSource('East DSP');
    await newSource(`West ${HOSTILE}`);
    await visit('/demand');
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('East DSP').getByText('Healthy').waitFor();
    await row('East DSP').getByText('0 of 10,000').waitFor();
    await row('Northern Outdoor').getByText('none yet').waitFor();
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('west');
    await page.waitForURL(/[?&]q=west/);
    await row('East DSP').waitFor({ state: 'detached' });
    await row(HOSTILE).waitFor();
    await page.reload();
    await row(HOSTILE).waitFor();
    expect(await page.getByRole('row').count()).to.equal(2);
    await button(`Actions for West ${HOSTILE}`).click();
    await page.getByRole('menuitem', { name: 'Reset breaker' }).click();
    await confirmWith('Reset breaker');
    await told('is closed.');
    await page.goto('/demand?mode=delegate');
    await row('Northern Outdoor').waitFor();
    expect(await page.getByRole('row').count()).to.equal(2);
    await page.goto('/demand?q=nobody');
    await button('Clear the filters').click();
    await row('East DSP').waitFor();
    expect(await page.evaluate('window.hit')).to.equal(undefined);
  });

  it('explains a change that came in between, and keeps what was typed until the user chooses', async () => {
    const { id } = await newSource('Contested');
    await visit(`/demand/${id}?tab=settings`);
    const name = page.getByLabel('Name');
    await name.fill('Mine');
    await call('PATCH', `/api/demand/sources/${id}`, { name: 'Theirs', timeout_ms: 90 });
    await button('Save').click();
    const dialog = page.getByRole('dialog', { name: 'Somebody else changed this in the meantime' });
    await dialog.waitFor();
    await expectAccessible(page);
    await button('Show what it says now', dialog).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: 'Theirs' }).waitFor();
    await eventually('the name that another gave it', async () => (await name.inputValue()) === 'Theirs');

    await name.fill('Mine');
    await call('PATCH', `/api/demand/sources/${id}`, { timeout_ms: 80 });
    await button('Save').click();
    await confirmWith('Save mine over it');
    await told('Mine is saved.');
    // What was not touched here stays as the other left it.
    expect(await call('GET', `/api/demand/sources/${id}`)).to.include({ name: 'Mine', timeout_ms: 80 });
  });

  it('masks a key, shows it, and makes another once that is confirmed', async () => {
    const { id } = await newSource('Key holder');
    await visit(`/demand/${id}?tab=settings`);
    await button('Make a key').click();
    const shown = region('Key').getByText(/^dsp_/);
    const first = await shown.textContent();
    await button('Hide').click();
    await region('Key')
      .getByText(`••••${first?.slice(-4)}`)
      .waitFor();
    await button('Regenerate').click();
    await confirmWith('Regenerate');
    await shown.waitFor();
    expect(await shown.textContent()).to.not.equal(first);
  });

  it('invites people of a source by a link that is good once', async () => {
    const { id } = await newSource('With people');
    await visit(`/demand/${id}?tab=settings`);
    await button('Invite').click();
    const dialog = page.getByRole('dialog', { name: 'Invite people of With people' });
    await dialog.getByLabel('Email').fill('buyer@dsp.example');
    await button('Make the link', dialog).click();
    await page
      .getByRole('dialog', { name: 'The link for buyer@dsp.example' })
      .getByText(/\/invitation#/)
      .waitFor();
    const open = await page.evaluate("fetch('/api/invitations').then((answer) => answer.json())");
    expect((open as { invitations: { source: object }[] }).invitations[0]?.source).to.include({ type: 'dsp', id });
  });

  it('switches pools at once, and back again where the exchange does not answer', async () => {
    const { id } = await newSource('Subscriber');
    await visit(`/demand/${id}?tab=pools`);
    const toggle = page.getByRole('switch', { name: 'Takes traffic from Premium news' });
    const pools = async () => (await call('GET', `/api/demand/sources/${id}/pools`)).pools.length;
    await page.getByText('It takes no traffic').waitFor();
    const failing = await failWith(page, 503, /\/pools\/[0-9a-f-]{36}$/);
    await toggle.focus();
    await page.keyboard.press('Space');
    await told('The store does not answer.');
    expect(await toggle.isChecked()).to.equal(false);
    await failing.again();
    await page.keyboard.press('Space');
    expect(await toggle.isChecked()).to.equal(true);
    await page.getByText('It takes no traffic').waitFor({ state: 'detached' });
    expect(await pools()).to.equal(1);
  });

  it('makes a sandbox source live, and archives it, each once it is confirmed', async () => {
    const { id } = await newSource('Rehearsed', { sandbox: true });
    await visit(`/demand/${id}?sandbox=true&tab=settings`);
    await button('Make it live').click();
    await confirmWith('Make it live');
    await page.waitForURL((url) => !url.searchParams.has('sandbox') && url.searchParams.get('tab') === 'pools');
    await page.getByRole('tab', { name: 'Settings' }).click();
    await button('Archive').click();
    await page.getByRole('dialog').getByText('this cannot be undone').waitFor();
    await confirmWith('Archive');
    await page.getByText('It is archived', { exact: true }).waitFor();
    expect((await call('GET', `/api/demand/sources/${id}`)).status).to.equal('archived');
  });

  it('says what fails and asks again, and names what does not exist or is not to be seen', async () => {
    const failing = await failWith(page, 503, LIST);
    await page.goto('/demand?sort=-name');
    await told('The exchange is busy');
    await failing.again();
    await button('Try again').click();
    await page.getByRole('link', { name: 'East DSP' }).waitFor();
    await page.goto('/demand/00000000-0000-4000-8000-00000000dead');
    await told('This does not exist');
    await failWith(page, 403, LIST);
    await page.goto('/demand?status=all');
    await told('This is not for you to see');
  });
});
