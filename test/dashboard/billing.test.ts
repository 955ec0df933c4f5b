import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { callJson } from '../support/exchange.ts';
import { failWith } from './support/answers.ts';
import { expectAccessible, expectNoOverflow } from './support/axe.ts';
import { bookImpressions } from './support/book-impressions.ts';
import type { Complaints } from './support/complaints.ts';
import { type RunningDashboard, startDashboard } from './support/dashboard.ts';

const HOSTILE = '<img src=x onerror="window.hit=1"> مصدر';
const NEWS = `News ${HOSTILE}`;
const BUYER = `Buyer ${HOSTILE}`;
const HOUR_MS = 3_600_000;
const A4_PX = { width: 794, height: 1123 };

const now = new Date();
const CURRENT_MS = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
const monthOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 7);
const [CURRENT, PAST] = [monthOf(CURRENT_MS), monthOf(CURRENT_MS - 1)];
const nameOf = (month: string) =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
/** As the page writes cents. */
const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;

describe('dashboard: billing', () => {
  let running: RunningDashboard;
  let page: Page;
  let complaints: Complaints;
  let operator: Record<string, string>;
  let publisher: string;
  let dsp: string;
  before(async function () {
    running = await startDashboard(this);
    operator = { Cookie: await running.exchange.logIn() };
    ({ page, complaints } = await running.visit('/billing'));
  });
  after(() => running?.stop());
  afterEach(() => complaints?.expectNone());

  async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const answer = await callJson(method, `${running.exchange.baseUrl}${path}`, body, { ...operator, ...headers });
    expect(answer.status, JSON.stringify(answer.body)).to.be.within(200, 201);
    return answer.body;
  }
  const button = (name: string, of: Page | Locator = page) => of.getByRole('button', { name, exact: true });
  const row = (table: string, text: string) =>
    page.getByRole('table', { name: table, exact: true }).getByRole('row').filter({ hasText: text });
  const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
  const part = (name: string) => page.getByRole('region', { name, exact: true });
  /** The text of a file that a click downloads. */
  const downloaded = async (click: () => Promise<void>): Promise<{ name: string; text: string }> => {
    const [download] = await Promise.all([page.waitForEvent('download'), click()]);
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
  };
  const csv = (path: string): Promise<string> => call('GET', path, undefined, { Accept: 'text/csv' });

  it('names the next step where no source is to be billed, on either side', async () => {
    await page.getByText('No publisher yet').waitFor();
    await page.getByRole('link', { name: 'Create publisher' }).click();
    await page.waitForURL('**/supply/new');
    await page.goto('/billing?tab=demand');
    await page.getByRole('link', { name: 'Create demand source' }).click();
    await page.waitForURL('**/demand/new');
    await page.goto('/billing?tab=adjustments');
    await page.getByText(`Nothing was adjusted in ${nameOf(CURRENT)}`).waitFor();
  });

  describe('of a publisher and a demand source', () => {
    before(async () => {
      const site = { name: NEWS, domain: 'news.example', type: 'web' };
      publisher = (await call('POST', '/api/supply/sources', site)).id;
      dsp = (await call('POST', '/api/demand/sources', { name: BUYER, mode: 'delegate' })).id;
      await call('POST', '/api/supply/sources', { ...site, name: 'Quiet' });
      await call('PUT', `/api/fees/${publisher}`, { fee_percent: 10 });
      await call('PUT', `/api/fees/${dsp}`, { fee_percent: 5 });
      await bookImpressions(running.exchange, {
        publisher,
        dsp,
        minuteMs: CURRENT_MS - 24 * HOUR_MS,
        impressions: 40_000,
      });
      await bookImpressions(running.exchange, { publisher, dsp, minuteMs: CURRENT_MS, impressions: 1_200 });
      await eventually('both months in the books, the one before final', async () => {
        const bill = async (month: string) => call('GET', `/api/supply/sources/${publisher}/billing?month=${month}`);
        const [running, past] = [await bill(CURRENT), await bill(PAST)];
        return running.payout.impressions === 1_200 && past.status === 'finalized';
      });
    });

    it('lists what publishers are paid in the running month, and in the one of the URL', async () => {
      await page.goto('/billing');
      const { payout } = await call('GET', `/api/supply/sources/${publisher}/billing?month=${CURRENT}`);
      expect(payout).to.include({ gross_revenue_cents: 180, fee_cents: 18, net_payout_cents: 162 });
      const news = row('Bills of publishers', NEWS);
      await news.getByText('In progress').waitFor();
      expect((await news.getByRole('cell').allTextContents()).slice(2)).to.deep.equal([
        '1,200',
        '$1.80',
        '$0.18',
        '$1.62',
      ]);
      await page.getByRole('combobox', { name: 'Month' }).click();
      await page.getByRole('option', { name: nameOf(PAST) }).click();
      await page.waitForURL(new RegExp(`month=${PAST}`));
      await news.getByText('Finalized').waitFor();
      await page.reload();
      await news.getByText('Finalized').waitFor();
      expect((await news.getByRole('cell').allTextContents()).slice(2)).to.deep.equal([
        '40,000',
        '$60.00',
        '$6.00',
        '$54.00',
      ]);
    });

    it('lists what demand sources owe, and finds them by name', async () => {
      await page.goto(`/billing?month=${PAST}`);
      await tab('Demand');
      await page.waitForURL(/tab=demand/);
      const buyer = row('Bills of demand sources', BUYER);
      await buyer.getByText('Finalized').waitFor();
      const { invoice } = await call('GET', `/api/demand/sources/${dsp}/billing?month=${PAST}`);
      const shown = (await buyer.getByRole('cell').allTextContents()).slice(3);
      expect(shown).to.deep.equal([invoice.spend_cents, invoice.fee_cents, invoice.total_due_cents].map(dollars));
      await page.goto('/billing?q=qui');
      await row('Bills of publishers', 'Quiet').waitFor();
      expect(await row('Bills of publishers', NEWS).count()).to.equal(0);
      await page.getByRole('searchbox').fill('nobody');
      await page.getByText('Nobody is called like that').waitFor();
      await button('Clear the search').click();
      await row('Bills of publishers', NEWS).waitFor();
      expect(await page.evaluate('window.hit')).to.equal(undefined);
    });

    it('shows operators every final statement of a month, as CSV too, and what the audit found', async () => {
      await call('POST', '/api/jobs/finalise-billing/run');
      await call('POST', '/api/jobs/audit/run');
      const ran = await eventually('both jobs to have run', async () => {
        const { jobs } = await call('GET', '/api/jobs');
        const last = (name: string) => jobs.find((job: { name: string }) => job.name === name)?.last_run;
        const { total } = await call('GET', `/api/statements?month=${PAST}`);
        return total >= 2 && last('finalise-billing') && last('audit');
      });
      await page.goto(`/billing?month=${PAST}`);
      await tab('All final statements');
      await page.getByRole('alert').filter({ hasText: 'Audit of the books' }).getByText(ran.outcome).waitFor();
      const { statements } = await call('GET', `/api/statements?month=${PAST}`);
      const table = page.getByRole('table', { name: 'Final statements' });
      await table.getByRole('row').nth(statements.length).waitFor();
      await row('Final statements', NEWS).getByText('$54.00').waitFor();
      await row('Final statements', BUYER).getByText('$63.00').waitFor();
      const file = await downloaded(() => button('CSV').click());
      expect(file).to.deep.equal({ name: `statements-${PAST}.csv`, text: await csv(`/api/statements?month=${PAST}`) });
    });

    it('books an adjustment once it is confirmed, with what is refused beside its field', async () => {
      await page.goto('/billing?tab=adjustments');
      await button('Book an adjustment').click();
      const dialog = page.getByRole('dialog', { name: 'Book an adjustment' });
      const field = (name: string) => dialog.getByRole('textbox', { name, exact: true });
      await field('Impressions').fill('50000');
      await field('Gross (USD)').fill('6000000000');
      await button('Book', dialog).click();
      await dialog.getByText('Choose the publisher that was paid.').waitFor();
      for (const [label, name] of [
        ['Publisher', NEWS],
        ['Demand source', BUYER],
      ] as const) {
        await dialog.getByRole('combobox', { name: label, exact: true }).click();
        await page.getByRole('option', { name, exact: true }).click();
      }
      await field('Month').fill(PAST);
      const book = async () => {
        await button('Book', dialog).click();
        await button('Book it', page.getByRole('dialog', { name: 'Book the adjustment?' })).click();
      };
      await book();
      await dialog.getByText(/^gross_cents must/).waitFor();
      expect(await field('Gross (USD)').getAttribute('aria-invalid')).to.equal('true');
      await field('Gross (USD)').fill('6.000000001');
      await book();
      // More impressions than the two have traded.
      await dialog.getByRole('alert').waitFor();
      await field('Impressions').fill('4000');
      await dialog.getByLabel('Note').fill(`A list was updated. ${HOSTILE}`);
      await expectAccessible(page);
      await book();
      await dialog.waitFor({ state: 'detached' });
      const { adjustments } = await call('GET', `/api/adjustments?month=${CURRENT}`);
      expect(adjustments).to.have.length(1);
      expect(adjustments[0]).to.include({ period: PAST, impressions: 4_000, gross_cents: 600.0000001 });
      const booked = row('Adjustments', NEWS);
      expect((await booked.getByRole('cell').allTextContents()).slice(3)).to.deep.equal([
        PAST,
        `InvestigationA list was updated. ${HOSTILE}`,
        '4,000',
        '≈ $6.00',
      ]);
      expect(await page.evaluate('window.hit')).to.equal(undefined);
    });

    it('books an adjustment once when its answer is lost and it is booked again', async () => {
      await page.goto('/billing?tab=adjustments');
      await button('Book an adjustment').click();
      const dialog = page.getByRole('dialog', { name: 'Book an adjustment' });
      for (const [label, name] of [
        ['Publisher', NEWS],
        ['Demand source', BUYER],
      ] as const) {
        await dialog.getByRole('combobox', { name: label, exact: true }).click();
        await page.getByRole('option', { name, exact: true }).click();
      }
      for (const [field, value] of Object.entries({ Month: PAST, Impressions: '1', 'Gross (USD)': '0.25' })) {
        await dialog.getByRole('textbox', { name: field, exact: true }).fill(value);
      }
      await dialog.getByLabel('Note').fill('The answer was lost.');
      const book = async () => {
        await button('Book', dialog).click();
        await button('Book it', page.getByRole('dialog', { name: 'Book the adjustment?' })).click();
      };
      await page.route(
        '**/api/adjustments',
        async (route) => {
          await route.fetch();
          await route.abort();
        },
        { times: 1 },
      );
      await book();
      await dialog.getByRole('alert').waitFor();
      await book();
      await dialog.waitFor({ state: 'detached' });
      const { adjustments } = await call('GET', `/api/adjustments?month=${CURRENT}`);
      expect(adjustments.filter(({ note }: { note: string }) => note === 'The answer was lost.')).to.have.length(1);
    });

    it('shows a statement line by line, with what was taken off it, and hands it over as CSV', async () => {
      await page.goto('/billing');
      await page.getByRole('link', { name: NEWS }).click();
      await page.waitForURL(`**/billing/publisher/${publisher}/${CURRENT}`);
      const bill = await call('GET', `/api/supply/sources/${publisher}/billing?month=${CURRENT}`);
      const amounts = part('Amounts');
      await amounts.getByText('After adjustments (USD)').waitFor();
      const lines = await amounts.locator('> div').allTextContents();
      expect(lines).to.deep.equal([
        'Billed impressions1,200',
        'Gross revenue$1.80',
        'Exchange fee, 10 %−$0.18',
        'Payout (USD)$1.62',
        `After adjustments (USD)−${dollars(-bill.due_after_adjustments_cents)}`,
      ]);
      await part('Adjustments').getByText('4,000').waitFor();
      await part('Notes').getByText('In progress').waitFor();
      const path = `/api/supply/sources/${publisher}/billing?month=${CURRENT}`;
      const file = await downloaded(() => button('CSV').click());
      expect(file).to.deep.equal({ name: `statement-${publisher}-${CURRENT}.csv`, text: await csv(path) });
    });

    it('prints a statement on A4 without what surrounds it on the screen, in dark ink, with every line of it', async () => {
      const path = `/api/demand/sources/${dsp}/billing?month=${PAST}`;
      const final = { finalized_at: '2026-03-01T00:05:02.113Z', pages_sha256: 'a4'.repeat(32) };
      const adjustment = (index: number) => ({
        ...{ id: `adjustment-${index}`, period: PAST, reason: 'data-centre', impressions: index, amount_cents: -index },
        description: 'The address belongs to a data centre.',
      });
      const adjustments = Array.from({ length: 40 }, (_, index) => adjustment(index + 1));
      const sheets = async (more: object) => {
        await page.route(`**${path}`, async (route) => {
          const response = await route.fetch();
          await route.fulfill({ response, json: { ...(await response.json()), ...final, ...more } });
        });
        await page.goto(`/billing/dsp/${dsp}/${PAST}`);
        await page.getByRole('heading', { name: 'Invoice' }).waitFor();
        await part('Notes').getByText(final.pages_sha256).waitFor();
        await part('Notes').getByText('Final since 2026-03-01 00:05:02 UTC').waitFor();
        await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
        const navigation = page.getByRole('navigation', { name: 'Main' });
        for (const hidden of [navigation, page.getByRole('banner'), button('Print'), button('CSV')]) {
          await hidden.waitFor({ state: 'hidden' });
        }
        await expectNoOverflow(page);
        const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
        await page.unroute(`**${path}`);
        return pdf.match(/\/Type\s*\/Page\b/g)?.length;
      };
      await page.setViewportSize(A4_PX);
      expect(await sheets({ adjustments: [] })).to.equal(1);
      const colours = 'const { color, backgroundColor } = getComputedStyle(document.body); [color, backgroundColor]';
      expect(await page.evaluate(colours)).to.deep.equal(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
      await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
      expect(await sheets({ adjustments })).to.equal(2);
      await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
      await page.setViewportSize({ width: 1440, height: 900 });
    });

    it('says what fails and asks again, and names what does not exist or is not to be seen', async () => {
      const told = (text: string) => page.getByRole('alert').filter({ hasText: text }).first();
      const failing = await failWith(page, 503, /\/billing\?/);
      await page.goto(`/billing/publisher/${publisher}/${PAST}`);
      await told('The exchange is busy').waitFor();
      await failing.again();
      await button('Try again').click();
      await part('Amounts').waitFor();
      await page.goto(`/billing/dsp/${publisher}/${PAST}`);
      await told('This does not exist').waitFor();
      await page.goto(`/billing/publisher/${publisher}/2030-13`);
      await told('That did not work').waitFor();
      const refusing = await failWith(page, 403, /\/api\/statements/);
      await page.goto('/billing?tab=statements');
      await told('This is not for you to see').waitFor();
      await refusing.again();
    });

    it('is accessible, light and dark, at 390 pixels', async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      const paths = ['publishers', 'demand', 'statements', 'adjustments']
        .map((tab) => `/billing?tab=${tab}&month=${tab === 'adjustments' ? CURRENT : PAST}`)
        .concat(`/billing/publisher/${publisher}/${CURRENT}`, `/billing/dsp/${dsp}/${PAST}`);
      for (const [index, path] of paths.entries()) {
        await page.emulateMedia({ colorScheme: index % 2 === 0 ? 'light' : 'dark' });
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.locator('table, section[aria-label]').first().waitFor();
        await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
        await expectAccessible(page);
        await expectNoOverflow(page);
      }
    });
  });
});
