import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { failWith } from './support/answers.ts';
import { expectAccessible } from './support/axe.ts';
import type { Complaints } from './support/complaints.ts';
import { type RunningDashboard, startDashboard } from './support/dashboard.ts';

describe('dashboard: errors while something is saved', () => {
  let running: RunningDashboard;
  let page: Page;
  let complaints: Complaints;
  let id: string;
  let path: RegExp;

  before(async function () {
    running = await startDashboard(this);
    await newSource('Taken');
    ({ id } = await newSource('Before'));
    path = new RegExp(`/api/supply/sources/${id}$`);
    ({ page, complaints } = await running.visit(`/supply/${id}?tab=settings`));
  });
  after(async () => {
    complaints?.expectNone();
    await running?.stop();
  });

  async function call(method: string, address: string, body?: object) {
    const answer = await running.exchange.call(method, address, body);
    expect(answer.status, JSON.stringify(answer.body)).to.be.within(200, 201);
    return answer.body;
  }
  const newSource = (name: string) =>
    call('POST', '/api/supply/sources', { name, domain: 'site.example', type: 'web' });
  const read = () => call('GET', `/api/supply/sources/${id}`);
  const button = (name: string, of: Page | Locator = page) => of.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const refusal = () => page.getByRole('alert').filter({ hasText: 'It was not saved' });
  const save = () => button('Save').click();

  it('says that a name is taken (409), and keeps what was typed', async () => {
    await field('Name').fill('Taken');
    await field('Content genre').fill('sports');
    await save();
    await refusal().getByText('The name is taken.').waitFor();
    expect(await field('Name').inputValue()).to.equal('Taken');
    expect(await field('Content genre').inputValue()).to.equal('sports');
    await page.getByText('Not saved yet').waitFor();
    await expectAccessible(page);
    await field('Name').fill('After');
  });

  it('shows each error beside its field (422), goes to the first, and saves once all are corrected', async () => {
    await field('Domain').fill('https://site.example/');
    await page.getByLabel('Floor (CPM, USD)').fill('1001');
    await save();
    await page.getByText(/^domain must be an app bundle or a web domain/).waitFor();
    await page.getByText('floor_price_cpm must be at most 1000.').waitFor();
    expect(await refusal().count()).to.equal(0);
    await page.locator(':focus[aria-invalid="true"]').waitFor();
    await field('Domain').fill('mended.example');
    await page.getByLabel('Floor (CPM, USD)').fill('2.5');
    await save();
    await page.getByRole('alert').filter({ hasText: 'After is saved.' }).waitFor();
    expect(await read()).to.include({
      name: 'After',
      content_genre: 'sports',
      domain: 'mended.example',
      floor_price_cpm: 2.5,
    });
    expect(await page.getByText('Not saved yet').count()).to.equal(0);
  });

  for (const { title, status, says } of [
    { title: 'too many requests were made (429), and when to come back', status: 429, says: 'Try again in 1 second.' },
    { title: 'a part of the exchange is away (503)', status: 503, says: 'The store does not answer.' },
  ]) {
    it(`says that ${title}, and keeps what was typed for another try`, async () => {
      await field('Content genre').fill(`genre ${status}`);
      const failing = await failWith(page, status, path);
      await save();
      await refusal().getByText(says).waitFor();
      expect(await field('Content genre').inputValue()).to.equal(`genre ${status}`);
      await failing.again();
      await save();
      await refusal().waitFor({ state: 'detached' });
      await page.getByText('Not saved yet').waitFor({ state: 'detached' });
      expect((await read()).content_genre).to.equal(`genre ${status}`);
    });
  }

  it('says that the exchange cannot be reached while the network is away, and keeps what was typed', async () => {
    await field('Content genre').fill('offline');
    await page.context().setOffline(true);
    await save();
    await refusal()
      .getByText(/^The exchange could not be reached/)
      .waitFor();
    expect(await field('Content genre').inputValue()).to.equal('offline');
    await page.context().setOffline(false);
    await save();
    await page.getByText('Not saved yet').waitFor({ state: 'detached' });
    expect((await read()).content_genre).to.equal('offline');
  });

  it('explains that another tab was first (412): shows what it says now, or saves over that alone which was changed here', async () => {
    const other = await page.context().newPage();
    await other.goto(page.url());
    const change = async (of: Page, genre: string) => {
      await of.getByRole('textbox', { name: 'Content genre', exact: true }).fill(genre);
      await button('Save', of).click();
    };
    await field('Content genre').fill('mine');
    await change(other, 'theirs');
    await other.getByRole('alert').filter({ hasText: 'is saved.' }).waitFor();
    // Browsers draw the tab that is in front alone.
    await page.bringToFront();
    await save();
    const dialog = page.getByRole('dialog', { name: 'Somebody else changed this in the meantime' });
    await expectAccessible(page);
    await button('Show what it says now', dialog).click();
    await eventually('what the other tab saved', async () => (await field('Content genre').inputValue()) === 'theirs');

    await field('Content genre').fill('mine again');
    await other.bringToFront();
    await other.getByRole('textbox', { name: 'Domain', exact: true }).fill('theirs.example');
    await change(other, 'theirs again');
    await other.getByText('Not saved yet').waitFor({ state: 'detached' });
    await page.bringToFront();
    await save();
    await button('Save mine over it', dialog).click();
    await page.getByText('Not saved yet').waitFor({ state: 'detached' });
    await dialog.waitFor({ state: 'detached' });
    expect(await read()).to.include({ content_genre: 'mine again', domain: 'theirs.example' });
    await other.close();
  });

  it('shows placeholders, and no empty list, until a slow answer comes', async () => {
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const list = /\/api\/supply\/sources\?/;
    await page.route(list, async (route) => {
      await held;
      await route.continue();
    });
    const asked = page.waitForRequest(list);
    await page.goto('/supply', { waitUntil: 'commit' });
    await asked;
    await page.locator('table[aria-busy="true"]').waitFor();
    expect(await page.getByText('There is no publisher yet').count()).to.equal(0);
    expect(await page.getByRole('link', { name: 'Taken' }).count()).to.equal(0);
    answer();
    await page.getByRole('link', { name: 'Taken' }).waitFor();
    expect(await page.locator('table[aria-busy="true"]').count()).to.equal(0);
    await page.unroute(list);
  });
});
