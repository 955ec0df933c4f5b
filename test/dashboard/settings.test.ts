import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { Receiver, verify } from '../gateways/webhooks/receiver.ts';
import { eventually } from '../support/eventually.ts';
import { callJson } from '../support/exchange.ts';
import { failWith } from './support/answers.ts';
import { expectAccessible, expectNoOverflow } from './support/axe.ts';
import type { Complaints } from './support/complaints.ts';
import { type RunningDashboard, startDashboard } from './support/dashboard.ts';
import { settled } from './support/settled.ts';

const HOSTILE = '<img src=x onerror="window.hit=1"> مصدر';

describe('dashboard: settings of an account', () => {
  let running: RunningDashboard;
  let receiver: Receiver;
  let session: Record<string, string>;
  let page: Page;
  let complaints: Complaints;
  before(async function () {
    running = await startDashboard(this);
    receiver = await Receiver.open();
    session = { Cookie: await running.exchange.logIn() };
    ({ page, complaints } = await running.visit('/settings/keys'));
  });
  after(async () => {
    await running?.stop();
    await receiver?.close();
  });
  afterEach(() => complaints?.expectNone());

  /** What of a key may be seen later. */
  const hintOf = (key: string) => key.slice(0, 'pk_live_'.length + 4);
  /** As the operator, with a session: keys may not do all of it. */
  async function call(method: string, path: string, body?: object) {
    const answer = await callJson(method, `${running.exchange.baseUrl}${path}`, body, session);
    expect(answer.status, JSON.stringify(answer.body)).to.be.within(200, 204);
    return answer.body;
  }
  const section = async (name: string, query = '') => {
    await page.goto(`/settings/${name}${query}`);
    await settled(page);
  };
  const button = (name: string, of: Page | Locator = page) => of.getByRole('button', { name, exact: true });
  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  const told = (text: string) => page.getByRole('alert').filter({ hasText: text }).first().waitFor();
  const copied = () => page.evaluate('navigator.clipboard.readText()') as Promise<string>;
  const statusWith = async (key: string) =>
    (await callJson('GET', `${running.exchange.baseUrl}/api/account`, undefined, { 'X-API-Key': key })).status;

  it('generates a key that is shown once and works, with what is refused beside its field', async () => {
    await button('Generate new key').click();
    const making = dialog('New API key');
    await making.getByLabel('Name').fill(HOSTILE);
    await making.getByLabel('Ends (UTC)').fill('2020-01-01T00:00');
    await button('Generate key', making).click();
    await making.getByText('expires_at must be in the future.').waitFor();
    expect(await making.getByLabel('Ends (UTC)').getAttribute('aria-invalid')).to.equal('true');
    await making.getByLabel('Ends (UTC)').fill('');
    await button('Generate key', making).click();
    const made = dialog(`The key ${HOSTILE}`);
    await button('Copy the key', made).click();
    await button('Copied', made).waitFor();
    const key = await copied();
    expect(key).to.match(/^pk_live_/);
    await button('I have copied it', made).click();
    await made.waitFor({ state: 'detached' });
    await row(HOSTILE).getByText('never').first().waitFor();
    expect(await page.content()).not.to.include(key);
    expect(await statusWith(key)).to.equal(200);
    expect(await page.evaluate('window.hit')).to.equal(undefined);
  });

  it('rotates a key with an overlap in which both work, shows its last use, and ends it once that is confirmed', async () => {
    const { key } = await call('POST', '/api/keys', { name: 'Nightly reports', environment: 'live' });
    expect(await statusWith(key)).to.equal(200);
    await eventually('the last use to be known', async () => {
      const { keys } = await call('GET', '/api/keys');
      return keys.find(({ name }: { name: string }) => name === 'Nightly reports').last_used_at;
    });
    await section('keys');
    await row('Nightly reports')
      .getByText(/second|minute|now/)
      .waitFor();
    await button('Rotate', row('Nightly reports')).click();
    await button('Rotate', dialog('Rotate the key Nightly reports')).click();
    const made = dialog('The key Nightly reports');
    await button('Copy the key', made).click();
    await button('Copied', made).waitFor();
    const next = await copied();
    await button('I have copied it', made).click();
    expect([await statusWith(key), await statusWith(next), next === key]).to.deep.equal([200, 200, false]);

    const replacement = row(hintOf(next));
    await replacement.getByText('never').first().waitFor();
    await row(hintOf(key)).getByText('in 59 minutes').waitFor();
    await button('End', replacement).click();
    await page
      .getByRole('dialog')
      .getByText(`begins with ${hintOf(next)} `)
      .waitFor();
    await button('End the key', page.getByRole('dialog')).click();
    await told('The key Nightly reports has ended.');
    expect([await statusWith(next), await statusWith(key)]).to.deep.equal([401, 200]);
    await page.getByText('Ended', { exact: true }).click();
    await page.waitForURL(/status=ended/);
    await page.reload();
    await row(hintOf(next)).waitFor();
    expect(await button('Rotate').count()).to.equal(0);
  });

  it('renames the account, and keeps what was typed when another user was first', async () => {
    await section('account');
    const name = page.getByLabel('Name');
    await name.fill('Harbour Media');
    await call('PATCH', '/api/account', { name: 'Theirs' });
    await button('Save').click();
    await dialog('Somebody else changed this in the meantime').waitFor();
    expect(await name.inputValue()).to.equal('Harbour Media');
    await button('Save mine over it').click();
    await told('The account is renamed.');
    const account = await call('GET', '/api/account');
    expect(account.name).to.equal('Harbour Media');
    const cells = await row('API keys').first().getByRole('cell').allTextContents();
    expect(cells.at(-2)).to.equal(String(account.usage.live.api_keys));
  });

  it('says that there is no partner, adds one and renames it', async () => {
    await section('partners');
    await page.getByText('You act for no partner').waitFor();
    await button('Add a partner').last().click();
    await dialog('New partner').getByLabel('Name').fill('Coastal');
    await page.keyboard.press('Enter');
    await button('Rename', row('Coastal')).click();
    await dialog('Rename the partner').getByLabel('Name').fill(HOSTILE);
    await button('Save').click();
    await row(HOSTILE).waitFor();
    const { partners } = await call('GET', '/api/partners');
    expect(partners.map(({ name }: { name: string }) => name)).to.deep.equal([HOSTILE]);
    expect(await page.evaluate('window.hit')).to.equal(undefined);
  });

  it('sets the fee of a source, and explains one that another user set in between', async () => {
    const source = await call('POST', '/api/supply/sources', { name: HOSTILE, domain: 'news.example', type: 'web' });
    const fee = async () => (await call('GET', `/api/fees/${source.id}`)).fee_percent;
    await section('fees');
    const field = page.getByLabel(`Fee of ${HOSTILE} in percent`);
    await field.fill('12.5');
    await button('Save', row(HOSTILE)).click();
    await told('is 12.5 % from now on');
    expect(await fee()).to.equal(12.5);
    await field.fill('20');
    await call('PUT', `/api/fees/${source.id}`, { fee_percent: 15 });
    await button('Save', row(HOSTILE)).click();
    await button('Show what it says now', dialog('Somebody else changed this in the meantime')).click();
    await page.getByText('Demand sources', { exact: true }).click();
    await page.waitForURL(/of=demand/);
    await page.getByText('There is no source yet').waitFor();
    await page.getByText('Publishers', { exact: true }).click();
    await eventually('the fee of the other', async () => (await field.inputValue()) === '15 %');
    expect(await page.evaluate('window.hit')).to.equal(undefined);
  });

  it('adds a webhook, signs its events with the secret that it shows once, and shows what was delivered', async () => {
    await section('webhooks');
    await page.getByText('No webhook yet').waitFor();
    await button('Add a webhook').last().click();
    const making = dialog('New webhook');
    await making.getByLabel('URL').fill('ftp://example.com/events');
    await button('Add', making).click();
    await making.getByText(/url must be/).waitFor();
    expect(await making.getByLabel('URL').getAttribute('aria-invalid')).to.equal('true');
    await making.getByLabel('URL').fill(receiver.url);
    await button('Add', making).click();
    const shown = dialog('The secret that events are signed with');
    const secret = (await shown.getByText(/^whsec_/).textContent()) ?? '';
    await button('I have copied it', shown).click();

    receiver.manner = (_, before) => (before === 0 ? 400 : 200);
    await button('Test', row(receiver.url)).click();
    await page.waitForURL(/webhook=/);
    const deliveries = dialog(/^Deliveries to/);
    await eventually('the test event', () => receiver.ofType('webhook.test')[0]);
    verify(receiver.received[0]!, secret);
    await button('Look', deliveries).click();
    await deliveries.getByText(receiver.received[0]!.event.type).first().waitFor();
    await deliveries.getByText(/^Attempt 1: 400/).waitFor();

    await button('Replay', deliveries).first().click();
    const second = await eventually('the event again', () => receiver.ofType('webhook.test')[1]);
    verify(second, secret);
    expect(second.event).to.deep.equal(receiver.received[0]!.event);
    await deliveries.getByText('Delivered', { exact: true }).nth(1).waitFor();
    await page.keyboard.press('Escape');
    await deliveries.waitFor({ state: 'detached' });
    await button('Remove', row(receiver.url)).click();
    await button('Remove', page.getByRole('dialog')).click();
    await page.getByText('No webhook yet').waitFor();
    expect((await call('GET', '/api/webhooks')).webhooks).to.deep.equal([]);
  });

  it('invites a user by a link that is good once, takes an invitation back, and disables a user', async () => {
    await section('users');
    await page.getByText('Nobody is invited at the moment').waitFor();
    await button('Invite somebody').click();
    const inviting = dialog('Invite somebody');
    await inviting.getByLabel('Email').fill('ann@exchange.test');
    await button('Make the link', inviting).click();
    await inviting.getByText('Choose whose people they are.').waitFor();
    await inviting.getByRole('combobox', { name: 'As' }).click();
    await page.getByRole('option', { name: 'Member of this account' }).click();
    await button('Make the link', inviting).click();
    const made = dialog('The link for ann@exchange.test');
    const link = new URL((await made.getByText(/\/invitation#/).textContent()) ?? '');
    await button('I have copied it', made).click();

    const { page: theirs, context } = await running.visit(`${link.pathname}${link.hash}`, { as: null });
    await theirs.getByRole('textbox', { name: 'Password' }).fill('a long password of Ann');
    await button('Accept and log in', theirs).click();
    await theirs.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

    await section('users');
    await button('Change ann@exchange.test').click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await button('Disable', page.getByRole('dialog')).click();
    await row('ann@exchange.test').getByText('Disabled').waitFor();
    await theirs.goto('/supply');
    await theirs.waitForURL(/\/login\?next=/);
    await context.close();

    await call('POST', '/api/invitations', { email: 'bob@exchange.test', role: 'member' });
    await section('users');
    await button('Take back', row('bob@exchange.test')).click();
    await button('Take it back', page.getByRole('dialog')).click();
    await page.getByText('Nobody is invited at the moment').waitFor();
    expect((await call('GET', '/api/invitations')).invitations).to.deep.equal([]);
  });

  it('says what fails and asks again, and names what is not to be seen', async () => {
    const failing = await failWith(page, 503, /\/api\/keys/);
    await section('keys', '?status=ended');
    await told('The exchange is busy');
    await failing.again();
    await button('Try again').click();
    await row('Nightly reports').waitFor();
    await failWith(page, 403, /\/api\/partners/);
    await section('partners', '?sort=-name');
    await told('This is not for you to see');
    await page.unrouteAll();
  });

  it('is accessible at 390 pixels, light and dark', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const [index, name] of ['account', 'keys', 'partners', 'webhooks', 'users', 'fees'].entries()) {
      await page.emulateMedia({ colorScheme: index % 2 === 0 ? 'light' : 'dark' });
      await section(name);
      await expectAccessible(page);
      await expectNoOverflow(page);
    }
  });
});
