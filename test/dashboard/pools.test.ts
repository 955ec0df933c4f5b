import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { failWith } from './support/answers.ts';
import { expectAccessible, expectNoOverflow } from './support/axe.ts';
import type { Complaints } from './support/complaints.ts';
import { type RunningDashboard, startDashboard } from './support/dashboard.ts';
import { newPerson } from './support/people.ts';
import { settled } from './support/settled.ts';

const HOSTILE = '<img src=x onerror="window.hit=1"> مصدر';
const POOLS = /\/api\/supply\/pools\?/;

describe('dashboard: pools', () => {
  let running: RunningDashboard;
  let page: Page;
  let complaints: Complaints;
  before(async function () {
    running = await startDashboard(this);
    ({ page, complaints } = await running.visit('/pools'));
  });
  after(() => running?.stop());
  afterEach(() => complaints?.expectNone());

  async function call(method: string, path: string, body?: object) {
    const answer = await running.exchange.call(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).to.be.within(200, 201);
    return answer.body;
  }
  const button = (name: string, of: Page | Locator = page) => of.getByRole('button', { name, exact: true });
  const region = (name: string) => page.getByRole('region', { name, exact: true });
  const told = (text: string) => page.getByRole('alert').filter({ hasText: text }).first().waitFor();
  const confirmWith = async (name: string) => button(name, page.getByRole('dialog')).click();
  const newPool = (name: string, fields = {}) => call('POST', '/api/supply/pools', { name, ...fields });
  const newPublisher = (name: string, fields = {}) =>
    call('POST', '/api/supply/sources', { name, domain: 'site.example', type: 'web', ...fields });
  const poolOf = async (id: string) => (await call('GET', `/api/supply/sources/${id}`)).pool_id;
  const card = (name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });

  it('says the next step where there is no pool, and makes one: faults beside their fields', async () => {
    // Every exchange begins with the pool of the sandbox.
    await page.route(POOLS, (route) => route.fulfill({ json: { pools: [] } }));
    await page.reload();
    await page.getByText('There is no pool yet').waitFor();
    await button('New pool').last().click();
    await page.unroute(POOLS);
    const dialog = page.getByRole('dialog', { name: 'New pool' });
    await dialog.getByLabel('Name').fill('Sandbox pool');
    await dialog.getByLabel('Description').fill(HOSTILE);
    await dialog.getByLabel('Floor (CPM, USD)').fill('1001');
    await button('Create pool', dialog).click();
    await dialog.getByText('floor_price_cpm must be at most 1000.').waitFor();
    await dialog.getByLabel('Floor (CPM, USD)').fill('1.25');
    await button('Create pool', dialog).click();
    await dialog.getByText('The name is taken.').waitFor();
    expect(await dialog.getByLabel('Description').inputValue()).to.equal(HOSTILE);
    await dialog.getByLabel('Name').fill(HOSTILE);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: HOSTILE }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1);
    expect(await call('GET', `/api/supply/pools/${id}`)).to.include({ name: HOSTILE, floor_price_cpm: 1.25 });
    expect(await page.evaluate('window.hit')).to.equal(undefined);
  });

  it('puts a publisher into a pool by dragging it there, and several that are selected at once', async () => {
    const pool = await newPool('Dragged to');
    const [one, two, three] = await Promise.all(['Drag A', 'Drag B', 'Drag C'].map((name) => newPublisher(name)));
    await page.goto('/pools');
    const item = (name: string) => page.getByRole('list', { name: 'Publishers' }).getByText(name, { exact: true });
    await item('Drag A').dragTo(card('Dragged to'));
    await told('Assigned to Dragged to.');
    await item('Drag A').waitFor({ state: 'detached' });
    await card('Dragged to').getByText('1 publisher', { exact: true }).waitFor();
    expect(await poolOf(one.id)).to.equal(pool.id);
    await page.getByLabel('Select Drag B').check();
    await page.getByLabel('Select Drag C').check();
    await item('Drag C').dragTo(card('Dragged to'));
    await told('2 publishers are assigned to Dragged to.');
    expect([await poolOf(two.id), await poolOf(three.id)]).to.deep.equal([pool.id, pool.id]);
  });

  it('puts publishers into a pool by the keyboard alone, says which could not be, and keeps the search in the URL', async () => {
    const pool = await newPool('Typed to');
    const [one, two] = await Promise.all([newPublisher('Key one'), newPublisher('Key two')]);
    await page.goto('/pools');
    await page.getByRole('searchbox', { name: 'Search publishers' }).focus();
    await page.keyboard.type('key');
    await page.waitForURL(/q=key/);
    for (const name of ['Key one', 'Key two']) {
      await page.getByLabel(`Select ${name}`).focus();
      await page.keyboard.press('Space');
    }
    await page.getByRole('combobox', { name: 'Pool' }).focus();
    await page.keyboard.type('Typed');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`into=${pool.id}`));
    const failing = await failWith(page, 503, /\/assign$/);
    await button('Assign 2').focus();
    await page.keyboard.press('Enter');
    await told('The store does not answer.');
    await failing.again();
    expect(await poolOf(one.id)).to.equal(null);
    await button('Assign 2').focus();
    await page.keyboard.press('Enter');
    await told('2 publishers are assigned to Typed to.');
    expect([await poolOf(one.id), await poolOf(two.id)]).to.deep.equal([pool.id, pool.id]);
    await page.reload();
    await page.getByText('Every publisher is in a pool').waitFor();
    await page.getByText('All', { exact: true }).click();
    await page.getByText('site.example · Typed to').first().waitFor();
    expect(await page.getByRole('list', { name: 'Publishers' }).getByRole('listitem').count()).to.equal(2);
  });

  it('subscribes a demand source and ends that once it is confirmed, with what fails said', async () => {
    const pool = await newPool('Bought from');
    const dsp = await call('POST', '/api/demand/sources', { name: `Buyer ${HOSTILE}`, mode: 'delegate' });
    const subscribed = async () => (await call('GET', `/api/demand/sources/${dsp.id}/pools`)).pools.length;
    await page.goto(`/pools/${pool.id}`);
    await page.getByText('Nobody buys from it').waitFor();
    await button('Subscribe a demand source').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Demand source' }).click();
    await page.getByRole('option', { name: /^Buyer/ }).click();
    await button('Subscribe', dialog).click();
    await region('Demand').getByRole('link', { name: dsp.name }).waitFor();
    expect(await subscribed()).to.equal(1);
    await button(`Remove ${dsp.name}`).click();
    await button('Cancel', page.getByRole('dialog')).click();
    expect(await subscribed()).to.equal(1);
    const failing = await failWith(page, 503, /\/api\/demand\/sources\/[0-9a-f-]{36}\/pools\//);
    await button(`Remove ${dsp.name}`).click();
    await confirmWith('Unsubscribe');
    await told('The store does not answer.');
    await failing.again();
    await button(`Remove ${dsp.name}`).click();
    await confirmWith('Unsubscribe');
    await page.getByText('Nobody buys from it').waitFor();
    expect(await subscribed()).to.equal(0);
    expect(await page.evaluate('window.hit')).to.equal(undefined);
  });

  it('takes a publisher out once that is confirmed, and leads to where others are put in', async () => {
    const pool = await newPool('Left');
    const { id } = await newPublisher('Leaver', { pool_id: pool.id });
    await page.goto(`/pools/${pool.id}`);
    await button('Remove Leaver').click();
    await confirmWith('Take it out');
    await page.getByText('No publisher is in it').waitFor();
    expect(await poolOf(id)).to.equal(null);
    await page.getByRole('link', { name: 'Assign publishers' }).click();
    await page.getByLabel('Select Leaver').check();
    await button('Assign 1').click();
    await told('Assigned to Left.');
    expect(await poolOf(id)).to.equal(pool.id);
  });

  it('changes its floor, and explains a change that came in between', async () => {
    const { id } = await newPool('Contested pool');
    await page.goto(`/pools/${id}?period=7d`);
    await button('Edit').click();
    const dialog = page.getByRole('dialog', { name: 'Edit Contested pool' });
    await dialog.getByLabel('Floor (CPM, USD)').fill('3.5');
    await dialog.getByLabel('Verified publishers alone').check();
    await call('PATCH', `/api/supply/pools/${id}`, { description: 'Theirs' });
    await button('Save', dialog).click();
    const conflict = page.getByRole('dialog', { name: 'Somebody else changed this in the meantime' });
    await button('Save mine over it', conflict).click();
    await told('Contested pool is saved.');
    await page.getByText('Floor $3.50').waitFor();
    await page.getByText('Verified publishers alone').first().waitFor();
    // What was not touched here stays as the other left it.
    expect(await call('GET', `/api/supply/pools/${id}`)).to.include({
      description: 'Theirs',
      floor_price_cpm: 3.5,
      require_verified: true,
    });
    expect(new URL(page.url()).searchParams.get('period')).to.equal('7d');
  });

  it('says what fails and asks again, and names what does not exist', async () => {
    const failing = await failWith(page, 503, POOLS);
    await page.goto('/pools');
    await told('The exchange is busy');
    await failing.again();
    await button('Try again').click();
    await card('Dragged to').waitFor();
    await page.goto('/pools/00000000-0000-4000-8000-00000000dead');
    await told('This does not exist');
  });

  it('is nothing to the own people of a publisher, here and by the API', async () => {
    const { id } = await newPublisher('With people');
    const person = await newPerson(running.exchange, {
      email: 'people@site.example',
      role: 'source',
      source: { type: 'publisher', id },
    });
    const visited = await running.visit('/pools', { as: person });
    await visited.page.getByRole('heading', { level: 1, name: 'This is not for you to see' }).waitFor();
    expect(await visited.page.getByRole('link', { name: 'Pools' }).count()).to.equal(0);
    const answers = await visited.page.evaluate(
      `Promise.all(['/api/supply/pools', '/api/supply/sources'].map((path) => fetch(path).then(({ status }) => status)))`,
    );
    expect(answers).to.deep.equal([403, 403]);
    visited.complaints.expectNone();
    await visited.context.close();
  });

  it('is accessible, light and dark, at 390 pixels', async () => {
    const { id } = await newPool(`${HOSTILE} ${'long'.repeat(15)}`, {
      description: 'x'.repeat(180),
      require_verified: true,
    });
    await newPublisher(`${HOSTILE} ${'long'.repeat(15)}`, { pool_id: id });
    await page.setViewportSize({ width: 390, height: 844 });
    for (const [index, path] of ['/pools?of=all', `/pools/${id}`].entries()) {
      await page.emulateMedia({ colorScheme: index % 2 === 0 ? 'light' : 'dark' });
      await page.goto(path);
      await page.locator('section[aria-label]').first().waitFor();
      await settled(page);
      await expectAccessible(page);
      await expectNoOverflow(page);
    }
    await button('Edit').click();
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page);
    expect(await page.evaluate('window.hit')).to.equal(undefined);
  });
});
