import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { codeAt } from '../gateways/management/second-factor-client.ts';
import { eventually } from '../support/eventually.ts';
import { callJson } from '../support/exchange.ts';
import { failWith } from './support/answers.ts';
import { expectAccessible, expectNoOverflow } from './support/axe.ts';
import type { Complaints } from './support/complaints.ts';
import { type RunningDashboard, startDashboard } from './support/dashboard.ts';
import { parkMessage } from './support/dead-letters.ts';
import { newPerson } from './support/people.ts';
import { settled } from './support/settled.ts';

const HOSTILE = '<img src=x onerror="window.hit=1"> مصدر';
const ORIGIN = 'https://app.exchange.example';
const STEP_MS = 30_000;

describe('dashboard: settings of the exchange and of a login', () => {
  let running: RunningDashboard;
  let session: Record<string, string>;
  let page: Page;
  let complaints: Complaints;
  before(async function () {
    running = await startDashboard(this, 'embedded', { CORS_ORIGINS: ORIGIN });
    session = { Cookie: await running.exchange.logIn() };
    ({ page, complaints } = await running.visit('/settings/dead-letters'));
  });
  after(() => running?.stop());
  afterEach(() => complaints?.expectNone());

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
  const region = (name: string, of = page) => of.getByRole('region', { name, exact: true });
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  const told = (text: string, of = page) => of.getByRole('alert').filter({ hasText: text }).first().waitFor();

  it('shows a message that could not be handled, replays one, and discards one for a reason', async () => {
    await page.getByText('No message is waiting').waitFor();
    const [read, discarded] = [
      await parkMessage(running.exchange, HOSTILE),
      await parkMessage(running.exchange, 'the other'),
    ];
    await section('dead-letters');
    await button('Read', row(read.to)).click();
    const letter = page.getByRole('dialog', { name: `facts to ${read.to}` });
    await letter.getByText('of another day than').waitFor();
    await letter.getByText(JSON.stringify(HOSTILE)).waitFor();
    expect(await page.evaluate('window.hit')).to.equal(undefined);
    await page.keyboard.press('Escape');

    const failing = await failWith(page, 503, /\/discard$/);
    await button('Discard', row(discarded.to)).click();
    const asking = page.getByRole('dialog', { name: 'Discard this message?' });
    expect(await button('Discard', asking).isDisabled()).to.equal(true);
    await asking.getByLabel('Reason').fill('Figures of a test.');
    await button('Discard', asking).click();
    await told('The store does not answer.');
    await failing.again();
    await button('Discard', asking).click();
    await row(discarded.to).waitFor({ state: 'detached' });
    await page.getByText('Discarded', { exact: true }).click();
    await page.waitForURL(/state=discarded/);
    await button('Read', row(discarded.to)).click();
    await page.getByRole('dialog').getByText('Figures of a test.').waitFor();
    await page.keyboard.press('Escape');

    await page.getByText('Waiting', { exact: true }).first().click();
    await button('Replay', row(read.to)).click();
    await button('Replay', page.getByRole('dialog')).click();
    await told('on its way again');
    const { letters } = await call('GET', '/api/dead-letters?state=replayed');
    expect(letters.map(({ letter_id: id }: { letter_id: string }) => id)).to.deep.equal([read.letter_id]);
  });

  it('shows when each job ran and runs next, and runs one now once that is confirmed', async () => {
    await section('jobs');
    const { jobs } = await call('GET', '/api/jobs');
    expect(
      await button('Run now')
        .or(page.getByRole('button', { name: /^Run now: / }))
        .count(),
    ).to.equal(jobs.length);
    const job = row('Collect creatives');
    await job.getByText(/^in \d+/).waitFor();
    const before = jobs.find(({ name }: { name: string }) => name === 'collect-creatives').last_run;
    await button('Run now: Collect creatives').click();
    await button('Run now', page.getByRole('dialog')).click();
    await told('Collect creatives was started.');
    const ran = await eventually('the run', async () => {
      const now = await call('GET', '/api/jobs');
      const { last_run: last } = now.jobs.find(({ name }: { name: string }) => name === 'collect-creatives');
      return last !== null && last.ended_at !== before?.ended_at && last;
    });
    await job.getByText(ran.outcome).waitFor();
  });

  it('finds what was just done in the audit trail, by who did it and what it was done to', async () => {
    const made = await call('POST', '/api/supply/sources', { name: HOSTILE, domain: 'news.example', type: 'web' });
    await call('PUT', `/api/fees/${made.id}`, { fee_percent: 12.5 });
    const resource = `publisher/${made.id}`;
    await section('audit-trail');
    await page.getByRole('searchbox', { name: 'To what: kind/id' }).fill(resource);
    await page.waitForURL(/resource=/);
    await page.getByRole('status').filter({ hasText: '2 shown' }).waitFor();
    await button('Look', page.getByRole('row').nth(1)).click();
    const entry = page.getByRole('dialog', { name: new RegExp(resource) });
    const { entries } = await call('GET', `/api/audit-trail?resource=${encodeURIComponent(resource)}`);
    await entry.getByText(entries[0].hash).waitFor();
    await entry.getByText('125000').waitFor();
    await page.keyboard.press('Escape');
    await button('Look', page.getByRole('row').nth(2)).click();
    await page.getByRole('dialog').getByText(JSON.stringify(HOSTILE)).waitFor();
    expect(await page.evaluate('window.hit')).to.equal(undefined);

    await section('audit-trail', `?actor=${encodeURIComponent(entries[0].actor)}&resource=${resource}`);
    expect(await page.getByRole('row').count()).to.equal(3);
    await section('audit-trail', '?from=2999-01-01');
    await page.getByText('Nothing was changed that fits').waitFor();
  });

  it('shows what the exchange was started with, CORS origins first, found by their meaning, without secrets', async () => {
    await section('exchange');
    await region('CORS origins').getByRole('listitem').filter({ hasText: ORIGIN }).waitFor();
    await region('CORS origins').getByText(`CORS_ORIGINS=${ORIGIN},`).waitFor();
    const { settings } = await call('GET', '/api/exchange/settings');
    for (const { name, value, is_default: isDefault } of settings) {
      // Names begin other names, and stand in meanings.
      const ofSetting = page
        .getByRole('row')
        .filter({ has: page.getByText(name, { exact: true }).and(page.locator('th *')) });
      const cells = await ofSetting.getByRole('cell').allTextContents();
      expect(cells, name).to.deep.equal([`${value ?? 'none'} ${isDefault ? 'Default' : 'Set'}`]);
    }
    const { BOOTSTRAP_API_KEY: key = '', ADMIN_PASSWORD: password = '' } = running.exchange.environment;
    const text = await page.content();
    expect([text.includes(key), text.includes(password)]).to.deep.equal([false, false]);

    await page.getByRole('searchbox', { name: 'Search settings' }).fill('log in');
    await page.waitForURL(/q=log/);
    await row('ACCESS_LOG').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('No setting fits').waitFor();
    await page.getByRole('searchbox', { name: 'Search settings' }).fill('proxies');
    await row('TRUST_PROXY_HOPS').waitFor();
    expect(await region('Settings of the process').getByRole('row').count()).to.equal(2);
    const failing = await failWith(page, 503, /\/api\/exchange\/settings/);
    await page.reload();
    await told('The exchange is busy');
    await failing.again();
    await button('Try again').click();
    await row('TRUST_PROXY_HOPS').waitFor();
  });

  it('sets up a second factor that is then asked for, lets a recovery code in, and takes it off again', async () => {
    const ann = await newPerson(running.exchange, { email: 'ann@exchange.test', role: 'member' });
    const { page: own, context, complaints: owned } = await running.visit('/settings/login', { as: ann });
    const factor = region('Second factor', own);
    await factor.getByRole('textbox', { name: 'Your password' }).fill('not the password');
    await button('Set up a second factor', factor).click();
    await factor.getByText('password is wrong.').waitFor();
    await factor.getByRole('textbox', { name: 'Your password' }).fill(ann.password);
    await button('Set up a second factor', factor).click();
    const secret = (await factor.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? '';
    const recovery = await factor.getByRole('listitem').allTextContents();
    await factor.getByLabel('3. A code of the app').fill('000000');
    await button('Turn it on', factor).click();
    await eventually(
      'the field at fault',
      async () => (await factor.getByLabel('3. A code of the app').getAttribute('aria-invalid')) === 'true',
    );
    await factor.getByLabel('3. A code of the app').fill(codeAt(secret, Date.now()));
    await button('Turn it on', factor).click();
    await factor.getByText('On', { exact: true }).waitFor();

    const logInWith = async (code: string) => {
      await context.clearCookies();
      await own.goto('/login?next=/settings/login');
      await own.getByLabel('Email').fill(ann.email);
      await own.getByRole('textbox', { name: 'Password' }).fill(ann.password);
      await button('Log in', own).click();
      await own.getByLabel('Code').fill(code);
      await button('Log in', own).click();
      await own.waitForURL('**/settings/login');
      await settled(own);
    };
    // A code is good once, and the next one is taken already.
    await logInWith(codeAt(secret, Date.now() + STEP_MS));
    await logInWith(recovery[0]!);
    await factor.getByRole('textbox', { name: 'Your password' }).fill(ann.password);
    await factor.getByLabel('Code').fill(recovery[1]!);
    await button('Turn the second factor off', factor).click();
    await factor.getByText('Off', { exact: true }).waitFor();
    owned.expectNone();
    await context.close();
  });

  it('changes a password, and ends the sessions in other browsers', async () => {
    const bob = await newPerson(running.exchange, { email: 'bob@exchange.test', role: 'member' });
    const other = { Cookie: await running.exchange.logIn(bob) };
    const sessionStatus = async (headers: Record<string, string>) =>
      (await callJson('GET', `${running.exchange.baseUrl}/api/auth/session`, undefined, headers)).status;
    const { page: own, context } = await running.visit('/settings/login', { as: bob });
    const sessions = region('Sessions', own);
    await sessions.getByText('This browser').waitFor();
    const ended = { Cookie: await running.exchange.logIn(bob) };
    await own.reload();
    await button('End', sessions).nth(1).waitFor();
    await own.getByRole('textbox', { name: 'Current password' }).fill(bob.password);
    await own.getByRole('textbox', { name: 'New password' }).fill('short');
    await button('Change password', own).click();
    await own.getByText(/new_password/).waitFor();
    await own.getByRole('textbox', { name: 'New password' }).fill('a longer password of Bob');
    await button('Change password', own).click();
    await told('Your password is changed.', own);
    await button('End', sessions).first().waitFor({ state: 'detached' });
    expect([await sessionStatus(other), await sessionStatus(ended)]).to.deep.equal([401, 401]);
    await running.exchange.logIn({ email: bob.email, password: 'a longer password of Bob' });
    await context.close();
  });

  it('is accessible at 390 pixels, light and dark', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const [index, name] of ['login', 'jobs', 'dead-letters', 'audit-trail', 'exchange'].entries()) {
      await page.emulateMedia({ colorScheme: index % 2 === 0 ? 'dark' : 'light' });
      await section(name);
      await expectAccessible(page);
      await expectNoOverflow(page);
    }
  });
});
