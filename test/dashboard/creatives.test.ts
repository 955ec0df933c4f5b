import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { failWith } from './support/answers.ts';
import { expectAccessible, expectNoOverflow } from './support/axe.ts';
import type { Complaints } from './support/complaints.ts';
import { type RunningDashboard, startDashboard } from './support/dashboard.ts';
import { newPerson } from './support/people.ts';
import { HOSTILE_CRID, HOSTILE_MARKUP, type SeenCreatives, seeCreatives } from './support/seen-creatives.ts';
import { settled } from './support/settled.ts';

/** Nothing of a creative's runs in a preview: the browser says so. */
const REFUSED_TO_THE_AD = /^console: Blocked script execution in '[^']*\/preview'/;

describe('dashboard: creatives of bidders', () => {
  let running: RunningDashboard;
  let seen: SeenCreatives;
  let page: Page;
  let complaints: Complaints;

  before(async function () {
    running = await startDashboard(this);
    ({ page, complaints } = await running.visit('/creatives'));
  });
  after(() => running?.stop());
  afterEach(async () => {
    complaints?.expectNone(REFUSED_TO_THE_AD);
    expect(await page.evaluate('window.hit')).to.equal(undefined);
  });

  async function call(method: string, path: string, body?: object) {
    const answer = await running.exchange.call(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).to.be.within(200, 204);
    return answer.body;
  }
  const button = (name: string, of: Page | Locator = page) => of.getByRole('button', { name, exact: true });
  const region = (name: string) => page.getByRole('region', { name, exact: true });
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const told = (text: string) => page.getByRole('alert').filter({ hasText: text }).first().waitFor();
  const choose = async (label: string, option: string) => {
    await page.getByRole('combobox', { name: label, exact: true }).last().click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  const standing = (scope: string, of: Page = page) =>
    of.getByRole('table', { name: 'Where it is shown' }).getByRole('row').filter({ hasText: scope }).first();

  it('say where they come from while there is none', async () => {
    await page.getByText('No creative was seen yet').waitFor();
    seen = await seeCreatives(running.exchange);
    await page.reload();
    await row('takes-you-away').getByText('Flagged').waitFor();
  });

  it('are listed by what is asked for, which is in the URL, as a table and as they look', async () => {
    expect(await page.getByRole('row').count()).to.equal(5);
    await choose('Scan', 'Flagged');
    await row(HOSTILE_CRID).waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('scan')).to.equal('flagged');
    await choose('Decision', 'Blocked');
    await page.getByText('No creative is like that').waitFor();
    await button('Clear the filters').click();
    await row(HOSTILE_CRID).waitFor();
    await page.getByRole('searchbox', { name: 'Search by id or advertiser' }).fill('boots.ex');
    await row('takes-you-away').waitFor({ state: 'detached' });
    await row(HOSTILE_CRID).waitFor();
    await page.getByRole('searchbox').fill('');
    await row('takes-you-away').waitFor();
    await button('Wins').click();
    await page.waitForURL(/sort=wins/);
    await page.getByText('Cards', { exact: true }).click();
    await page
      .getByRole('article', { name: 'takes-you-away' })
      .getByText(/to another page by itself/)
      .waitFor();
    await settled(page);
    await expectAccessible(page);
  });

  it('have a page each: as they look, in a frame in which nothing runs, and their markup as text', async () => {
    await page.getByRole('link', { name: HOSTILE_CRID }).click();
    await page.getByRole('heading', { level: 1, name: HOSTILE_CRID }).waitFor();
    const frame = region('Preview').locator('iframe');
    expect(await frame.getAttribute('sandbox')).to.equal('');
    await region('Preview')
      .getByText(/has scripts or frames/)
      .waitFor();
    await frame.contentFrame().getByText('Walk further').waitFor();
    expect(await page.getByText('it runs').count()).to.equal(0);
    await button('Show as text').click();
    await region('Markup').locator('pre').filter({ hasText: HOSTILE_MARKUP }).waitFor();
    await page.goto(`/creatives/${seen.flagged}`);
    const scan = region('Scan');
    await scan.getByText('Takes the viewer to another page by itself').waitFor();
    await scan.getByText('Found: forced-redirect.').waitFor();
    await scan.getByText('Block it, and report it to the operators.').waitFor();
    await scan.getByText('cdn.example, tracker.example').waitFor();
  });

  it('are blocked in a scope with a reason, which shows in the page and over the API, and taken back', async () => {
    await button('Block').click();
    const dialog = page.getByRole('dialog');
    await choose('For', 'Supply source Harbour');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Leaves the page');
    await button('Block', dialog).click();
    await told('takes-you-away is blocked');
    await standing('Supply source Harbour').getByText('Blocked', { exact: true }).waitFor();
    await standing('Supply source Harbour').getByText('“Leaves the page”').waitFor();
    const { review } = await call('GET', `/api/creatives/${seen.flagged}`);
    const states = review.map(({ scope, state }: Record<string, string>) => `${scope} ${state}`);
    expect(states).to.include('publisher blocked').and.to.include('account admitted');
    await button('Take back', standing('Supply source Harbour')).click();
    await button('Take back', page.getByRole('dialog')).click();
    await told('The decision is taken back.');
    await standing('Supply source Harbour').getByText('Shown', { exact: true }).waitFor();
    expect((await call('GET', `/api/creatives/${seen.flagged}`)).decisions).to.deep.equal([]);
  });

  it('are blocked by advertiser, and say which decision it is', async () => {
    await page.goto(`/creatives/${seen.hostile}`);
    await button('Block').click();
    await choose('What is blocked', 'Everything of boots.example');
    await button('Block', page.getByRole('dialog')).click();
    await standing('Whole exchange').getByText('Nothing is against it.').waitFor();
    await standing('Account')
      .getByText(/advertiser boots\.example/)
      .waitFor();
    expect(await call('GET', '/api/creatives/rules?subject=advertiser')).to.have.property('total', 1);
  });

  it('are reported', async () => {
    await button('Report').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Comment' }).fill('Flickers');
    await button('Report', dialog).click();
    await region('Reports').getByText('Flickers').waitFor();
    await page.goto('/');
    await page.getByRole('link', { name: `Open ${HOSTILE_CRID}` }).click();
    await page.getByRole('heading', { level: 1, name: HOSTILE_CRID }).waitFor();
  });

  it('have a list of decisions: of those that are there, with new ones, and each taken back', async () => {
    await page.goto('/creatives?tab=decisions');
    await row('boots.example').getByText('Blocked').waitFor();
    await button('New decision').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Domain' }).fill('not a domain');
    await button('Block', dialog).click();
    await dialog.getByText(/value must be/).waitFor();
    await choose('About', 'Category');
    await dialog.getByRole('textbox', { name: 'IAB category' }).fill('IAB25-3');
    await button('Block', dialog).click();
    await row('IAB25-3').waitFor();
    await expectAccessible(page);
    await button('Take back', row('boots.example')).click();
    await button('Take back', page.getByRole('dialog')).click();
    await row('boots.example').waitFor({ state: 'detached' });
    expect(await call('GET', '/api/creatives/rules')).to.have.property('total', 1);
  });

  it('are found from a bid by their crid: the one, or all versions of it', async () => {
    await page.goto(`/creatives/find?dsp=${seen.dspId}&crid=takes-you-away`);
    await page.getByRole('heading', { level: 1, name: 'takes-you-away' }).waitFor();
    await page.waitForURL(`**/creatives/${seen.flagged}*`);
    await page.goto(`/creatives/find?dsp=${seen.dspId}&crid=autumn`);
    await region('Versions').getByRole('link').nth(1).waitFor();
    await page.goto('/creatives/find?crid=nowhere');
    await page.getByText('Nothing is known of this creative').waitFor();
  });

  it('fit into 390 pixels, dark and light, and say what the API answers where it fails', async () => {
    for (const scheme of ['dark', 'light'] as const) {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.emulateMedia({ colorScheme: scheme });
      for (const path of ['/creatives', `/creatives/${seen.flagged}`]) {
        await page.goto(path);
        await settled(page);
        await expectAccessible(page);
        await expectNoOverflow(page);
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    const failing = await failWith(page, 503);
    await page.goto('/creatives');
    await page.getByRole('alert').filter({ hasText: 'The store does not answer.' }).first().waitFor();
    await failing.again();
    await button('Try again').first().click();
    await row('takes-you-away').waitFor();
  });

  it('are decided about by a publisher’s own people for it, and seen by a buyer’s', async () => {
    const seller = await newPerson(running.exchange, {
      ...{ email: 'seller@harbour.example', role: 'source' },
      source: { type: 'publisher', id: seen.publisherId },
    });
    const buyer = await newPerson(running.exchange, {
      ...{ email: 'buyer@outdoor.example', role: 'source' },
      source: { type: 'dsp', id: seen.dspId },
    });
    const own = await running.visit(`/creatives/${seen.refused}`, { as: seller });
    await button('Block', own.page).click();
    await own.page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('Not on our pages');
    await button('Block', own.page.getByRole('dialog')).click();
    await standing('Supply source Harbour', own.page).getByText('Blocked', { exact: true }).waitFor();
    const [rule] = (await call('GET', '/api/creatives/rules?subject=creative')).rules;
    expect(rule).to.include({ scope: 'publisher', scope_id: seen.publisherId, reason: 'Not on our pages' });
    await expectAccessible(own.page);
    await own.page.goto('/creatives/review');
    await own.page.locator('article[aria-current="true"]').waitFor();
    await own.page.keyboard.press('a');
    await own.page
      .getByRole('status')
      .filter({ hasText: /is approved/ })
      .waitFor({ state: 'attached' });
    expect((await call('GET', '/api/creatives/rules?decision=approve')).rules[0]).to.include({ scope: 'publisher' });
    own.complaints.expectNone(REFUSED_TO_THE_AD);
    await own.context.close();

    const bought = await running.visit(`/creatives/${seen.refused}`, { as: buyer });
    await standing('Supply source', bought.page).getByText('“Not on our pages”').waitFor();
    expect(await button('Block', bought.page).count()).to.equal(0);
    expect(await button('Take back', bought.page).count()).to.equal(0);
    await expectAccessible(bought.page);
    bought.complaints.expectNone(REFUSED_TO_THE_AD);
    await bought.context.close();
  });
});
