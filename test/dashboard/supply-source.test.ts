import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import type { VerificationOutcome } from '../../actors/verification/outcome.ts';
import { verification } from '../../actors/verification/verification.ts';
import { firstAccountId } from '../../gateways/management/bootstrap/first-account.ts';
import { eventually } from '../support/eventually.ts';
import type { Complaints } from './support/complaints.ts';
import { type RunningDashboard, startDashboard } from './support/dashboard.ts';

describe('dashboard: a publisher', () => {
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
  const button = (name: string, of: Page | Locator = page) => of.getByRole('button', { name, exact: true });
  const region = (name: string) => page.getByRole('region', { name, exact: true });
  const tab = (name: string) => page.getByRole('tab', { name, exact: true });
  const told = (text: string) => page.getByRole('alert').filter({ hasText: text }).first().waitFor();
  const confirmWith = async (name: string) => button(name, page.getByRole('dialog')).click();
  const newSource = (name: string, fields = {}) =>
    call('POST', '/api/supply/sources', { name, domain: 'site.example', type: 'web', ...fields });
  /** A look at the file of a publisher of news.localhost came to this. */
  const found = (id: string, line: string, outcome: VerificationOutcome) =>
    running.exchange.exchange.node.messenger.ask(verification, id, 'checked', {
      accountId: firstAccountId,
      partnerId: null,
      sandbox: false,
      publisherName: 'With a file',
      about: 'web news.localhost ',
      expectedLine: line,
      atMs: Date.now(),
      outcome,
    });
  /** What a session alone may read, as the page itself does. */
  const readAsUser = (path: string) =>
    page.evaluate(`fetch('${path}').then((answer) => answer.json())`) as Promise<{ key: string }>;

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

    const file = { domain: 'news.localhost', fileUrl: 'https://news.localhost/ads.txt' };
    await found(id, line, { kind: 'failed', ...file, reason: 'exchange_not_listed' });
    await page.reload();
    await told('The file does not name this exchange. (https://news.localhost/ads.txt)');
    const named = { relationship: 'RESELLER' as const, certificationId: null, ownerDomain: null };
    await found(id, line, {
      kind: 'verified',
      ...file,
      ...named,
      managerDomains: [],
      warnings: ['relationship_differs'],
    });
    await page.reload();
    await region('ads.txt').getByText('This line was found:').waitFor();
    await region('ads.txt').getByText('Verified', { exact: true }).waitFor();
    await told('DIRECT or RESELLER in the file is not what the seller type');
  });

  it('is put into any pool of the account, however many there are', async () => {
    const made = [];
    for (let n = 0; n < 101; n++) made.push(call('POST', '/api/supply/pools', { name: `Pool ${1000 + n}` }));
    const last = (await Promise.all(made)).find(({ name }) => name === 'Pool 1100');
    const { id } = await newSource('In the last pool', { pool_id: last.id });
    await page.goto(`/supply/${id}?tab=settings`);
    const pool = page.getByRole('combobox', { name: 'Pool', exact: true });
    await pool.waitFor();
    await eventually('its pool', async () => ((await pool.inputValue()) === 'Pool 1100' ? true : null));
    await pool.click();
    await page.getByRole('option', { name: 'Pool 1099', exact: true }).click();
    await button('Save').click();
    await told('In the last pool is saved.');
    const { pool_id: chosen } = await call('GET', `/api/supply/sources/${id}`);
    expect((await call('GET', `/api/supply/pools/${chosen}`)).name).to.equal('Pool 1099');
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
});
