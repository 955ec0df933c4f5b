import { expect } from 'chai';
import { failWith } from './support/answers.ts';
import { expectAccessible, expectNoOverflow } from './support/axe.ts';
import { type RunningDashboard, startDashboard } from './support/dashboard.ts';

describe('dashboard: logging in', () => {
  let running: RunningDashboard;
  before(async function () {
    running = await startDashboard(this);
  });
  after(() => running?.stop());

  for (const scheme of ['light', 'dark'] as const) {
    it(`is accessible, at 390 pixels, ${scheme}`, async () => {
      const { page, context, complaints } = await running.visit('/login', { as: null, width: 390, scheme });
      await expectAccessible(page);
      await expectNoOverflow(page);
      complaints.expectNone();
      await context.close();
    });
  }

  it('leads back to the address that was asked for, and refuses a wrong password in words', async () => {
    const { page, context, complaints } = await running.visit('/settings/keys', { as: null });
    await page.getByLabel('Email').fill(running.exchange.admin.email);
    await page.getByRole('textbox', { name: 'Password' }).fill('not the password');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('textbox', { name: 'Password' }).fill(running.exchange.admin.password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/settings/keys');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    complaints.expectNone();
    await context.close();
  });

  it('has a page to itself whatever address of another site is given as the next', async () => {
    const { page, context } = await running.visit('/login?next=//evil.example/', { as: null });
    await page.getByLabel('Email').fill(running.exchange.admin.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(running.exchange.admin.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL(`${running.exchange.baseUrl}/`);
    await context.close();
  });

  it('asks for the password over the page when a session ends in the middle of something, and loses nothing typed', async () => {
    const { page, context } = await running.visit('/settings/keys');
    await page.getByRole('button', { name: 'Generate new key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Reports of the night');
    await context.clearCookies();
    await dialog.getByRole('button', { name: 'Generate key' }).click();
    const guard = page.getByRole('dialog', { name: 'Your session has ended' });
    await guard.getByRole('textbox', { name: 'Password' }).fill(running.exchange.admin.password);
    await guard.getByRole('button', { name: 'Log in' }).click();
    await guard.waitFor({ state: 'detached' });
    expect(await dialog.getByLabel('Name').inputValue()).to.equal('Reports of the night');
    await dialog.getByRole('button', { name: 'Generate key' }).click();
    await page.getByText('Reports of the night').first().waitFor();
    await context.close();
  });

  it('keeps what was typed when the page hears of the end of its session by itself', async () => {
    const { page, context } = await running.visit('/settings/keys');
    await page.clock.install();
    await page.getByRole('button', { name: 'Generate new key' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New API key' });
    await dialog.getByLabel('Name').fill('Reports of the morning');
    await context.clearCookies();
    // The user comes back to the page a minute later: what it shows is asked for again.
    await page.clock.fastForward('01:01');
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    const guard = page.getByRole('dialog', { name: 'Your session has ended' });
    await guard.getByRole('textbox', { name: 'Password' }).fill(running.exchange.admin.password);
    expect(await dialog.getByLabel('Name').inputValue()).to.equal('Reports of the morning');
    await guard.getByRole('button', { name: 'Log in' }).click();
    await guard.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Generate key' }).click();
    await page.getByText('Reports of the morning').first().waitFor();
    await context.close();
  });

  it('changes things over plain HTTP too, where browsers make no UUIDs', async () => {
    const { page, context, complaints } = await running.visit('/login');
    await page.addInitScript(`delete Crypto.prototype.randomUUID`);
    await page.goto('/settings/keys');
    expect(await page.evaluate('crypto.randomUUID')).to.equal(undefined);
    await page.getByRole('button', { name: 'Generate new key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Over plain HTTP');
    await dialog.getByRole('button', { name: 'Generate key' }).click();
    await page.getByText('Over plain HTTP').first().waitFor();
    complaints.expectNone();
    await context.close();
  });

  it('says that logging out failed, and stays', async () => {
    const { page, context } = await running.visit('/settings/login');
    const failing = await failWith(page, 503, /\/api\/auth\/logout$/);
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByRole('alert').filter({ hasText: 'The store does not answer.' }).waitFor();
    expect(new URL(page.url()).pathname).to.equal('/settings/login');
    await failing.again();
    await context.close();
  });

  it('keeps the sandbox in the URL from page to page, and says so on the whole page', async () => {
    const { page, context } = await running.visit('/settings/keys');
    await page.getByRole('switch', { name: 'Sandbox' }).check({ force: true });
    await page.waitForURL(/sandbox=true/);
    await page.getByRole('link', { name: 'Supply', exact: true }).click();
    await page.waitForURL(/\/supply\?.*sandbox=true/);
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('switch', { name: 'Sandbox' }).isChecked()).to.equal(true);
    await context.close();
  });

  it('is ended by logging out', async () => {
    const cookie = await running.exchange.logIn();
    const { page, context } = await running.visit('/settings/login', { as: null });
    const [name = '', value = ''] = cookie.split('=', 2);
    await context.addCookies([{ name, value, url: running.exchange.baseUrl }]);
    await page.goto('/settings/login');
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.waitForURL(/\/login/);
    await page.goto('/supply');
    await page.waitForURL(/\/login\?next=/);
    await context.close();
  });
});
