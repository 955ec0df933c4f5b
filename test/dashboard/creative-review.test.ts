import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectAccessible, expectNoOverflow } from './support/axe.ts';
import type { Complaints } from './support/complaints.ts';
import { type RunningDashboard, startDashboard } from './support/dashboard.ts';
import { type SeenCreatives, seeCreatives } from './support/seen-creatives.ts';
import { settled } from './support/settled.ts';

/** Nothing of a creative's runs in a preview: the browser says so. */
const REFUSED_TO_THE_AD = /^console: Blocked script execution in '[^']*\/preview'/;

describe('dashboard: the review of creatives by keys', () => {
  let running: RunningDashboard;
  let seen: SeenCreatives;
  let page: Page;
  let complaints: Complaints;

  before(async function () {
    running = await startDashboard(this);
    seen = await seeCreatives(running.exchange);
    ({ page, complaints } = await running.visit('/creatives/review'));
    await settled(page);
  });
  after(() => running?.stop());
  afterEach(async () => {
    complaints?.expectNone(REFUSED_TO_THE_AD);
    expect(await page.evaluate('window.hit')).to.equal(undefined);
  });

  const cards = () => page.getByRole('article');
  const current = () => page.locator('article[aria-current="true"]');
  const nameOfCurrent = async () => (await current().getAttribute('aria-label')) ?? '';
  const said = (text: RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' });
  const decisionsOf = async (id: string) =>
    (await running.exchange.call('GET', `/api/creatives/${id}`)).body.decisions as {
      decision: string;
      reason: string;
    }[];
  const idOf = async () => (await current().getByRole('link').getAttribute('href'))!.split('/').at(-1)!;

  it('shows creatives side by side, and moves between them by J and K with the focus', async () => {
    expect(await cards().count()).to.equal(4);
    const first = await nameOfCurrent();
    await page.keyboard.press('j');
    await page
      .locator('article[aria-current="true"]:focus')
      .and(page.getByLabel(/2 of 4/))
      .waitFor();
    expect(await nameOfCurrent()).to.not.equal(first);
    await page.keyboard.press('k');
    await page
      .locator('article[aria-current="true"]:focus')
      .and(page.getByLabel(/1 of 4/))
      .waitFor();
    expect(await nameOfCurrent()).to.equal(first);
  });

  it('approves by A, goes on to the next, and takes it back by U', async () => {
    const id = await idOf();
    await page.keyboard.press('a');
    await said(/is approved\. Next: /);
    expect((await decisionsOf(id)).map(({ decision }) => decision)).to.deep.equal(['approve']);
    await page
      .getByLabel(/1 of 4/)
      .getByText('Approved', { exact: true })
      .waitFor();
    await current()
      .and(page.getByLabel(/2 of 4/))
      .waitFor();
    await page.keyboard.press('u');
    await said(/is taken back/);
    expect(await decisionsOf(id)).to.deep.equal([]);
    await current()
      .and(page.getByLabel(/1 of 4/))
      .waitFor();
  });

  it('blocks by B with one confirmation and a reason, which letters are typed into', async () => {
    const id = await idOf();
    await page.keyboard.press('b');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Reason' }).and(page.locator(':focus')).waitFor();
    // Each of these is a key of the review.
    await page.keyboard.type('a jab, ku');
    expect(await decisionsOf(id)).to.deep.equal([]);
    await page.keyboard.press('Enter');
    await said(/is blocked/);
    const [decided] = await decisionsOf(id);
    expect(decided).to.include({ decision: 'block', reason: 'a jab, ku', scope: 'account' });
    await page
      .getByLabel(/1 of 4/)
      .getByText('Blocked', { exact: true })
      .waitFor();
  });

  it('shows its keys by ?, and listens to none where they are off', async () => {
    await page.keyboard.press('?');
    await page.getByRole('table', { name: 'Keys' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('?');
    await page.getByRole('table', { name: 'Keys' }).waitFor({ state: 'detached' });
    await page.getByRole('switch', { name: 'Keyboard shortcuts' }).press('Space');
    await page.waitForURL(/keys=off/);
    const before = await nameOfCurrent();
    await page.keyboard.press('j');
    await page.keyboard.press('?');
    expect(await nameOfCurrent()).to.equal(before);
    expect(await page.getByRole('table', { name: 'Keys' }).count()).to.equal(0);
  });

  it('shows the flagged alone with what was found, at 390 pixels as well', async () => {
    await page.getByText('Flagged', { exact: true }).first().click();
    await page.waitForURL(/queue=flagged/);
    await page
      .getByRole('article', { name: /takes-you-away/ })
      .getByText(/to another page by itself/)
      .waitFor();
    await cards().nth(1).waitFor({ state: 'detached' });
    expect(await cards().count()).to.equal(1);
    for (const [width, scheme] of [
      [390, 'dark'],
      [1440, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: scheme });
      await page.reload();
      await settled(page);
      await expectAccessible(page);
      await expectNoOverflow(page);
    }
  });

  it('sets the mode of a scope, and asks once before sales stop', async () => {
    const mode = async () =>
      (await running.exchange.call('GET', `/api/creatives/policies?scope=publisher&scope_id=${seen.publisherId}`)).body
        .policies[0]?.mode;
    await page.goto(`/creatives/review?scope=publisher&scope_id=${seen.publisherId}`);
    await settled(page);
    const panel = page.getByRole('region', { name: 'Mode of the supply source' });
    await panel.getByText('Reviewed', { exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Set to reviewed' }).click();
    await panel.getByRole('radio', { name: 'Reviewed', checked: true }).waitFor({ state: 'attached' });
    expect(await mode()).to.equal('reviewed');
    await panel.getByText('Open', { exact: true }).click();
    await panel.getByRole('radio', { name: 'Open', checked: true }).waitFor({ state: 'attached' });
    expect(await mode()).to.equal('open');
  });
});
