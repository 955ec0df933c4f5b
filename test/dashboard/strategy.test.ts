import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { callJson } from '../support/exchange.ts';
import { failWith } from './support/answers.ts';
import { expectAccessible, expectNoOverflow } from './support/axe.ts';
import { type RunningDashboard, startDashboard } from './support/dashboard.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';
const LONG = `campaign-${'x'.repeat(100)}`;
const HTML = '<a href="https://advertiser.example.com/">Tonight</a>';

describe('dashboard: the strategy of a delegate', () => {
  let running: RunningDashboard;
  before(async function () {
    running = await startDashboard(this, 'embedded', {
      AUCTION_SAMPLES_PER_SECOND: '1000',
      MAX_REQUESTS_PER_SECOND_PER_ADDRESS: '0',
      MAX_REQUESTS_PER_SECOND_PER_DEVICE: '0',
    });
  });
  after(() => running?.stop());

  const create = async (path: string, body: object): Promise<string> => {
    const answer = await running.exchange.call('POST', path, { name: `Name ${randomUUID()}`, ...body });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body.id;
  };
  const delegate = () => create('/api/demand/sources', { mode: 'delegate' });
  const upload = async (id: string, document: object): Promise<void> => {
    const { status, body } = await running.exchange.call('PUT', `/api/demand/sources/${id}/strategy`, document);
    expect(status, JSON.stringify(body)).to.equal(200);
  };
  const saved = async (id: string) => (await running.exchange.call('GET', `/api/demand/sources/${id}/strategy`)).body;
  const open = (id: string, visit = {}) => running.visit(`/demand/${id}?tab=strategy`, visit);

  it('begins with an example, which is tried, completed while one types, and saved', async () => {
    const id = await delegate();
    const { page, context, complaints } = await open(id);
    await page.getByRole('button', { name: 'Start from this: Phones, dearer in the evening' }).click();
    const editor = editorOf(page);
    await editor.waitFor();
    await page.getByText('Unsaved changes').waitFor();

    await write(
      page,
      JSON.stringify({ version: '1.0', dsp_id: id, default_bid: 1, campaigns: [{}], rules: [] }, null, 2),
    );
    await page.keyboard.press('Control+Home');
    for (let line = 1; line < 6; line++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Control+ ');
    const names = page.getByRole('listbox');
    await names.getByRole('option', { name: 'campaign_id' }).waitFor();
    expect(await names.getByRole('option', { name: 'rotation_strategy' }).count()).to.equal(1);
    await page.keyboard.type('pri');
    await names.getByRole('option', { name: 'campaign_id' }).waitFor({ state: 'detached' });
    await names.getByRole('option', { name: 'priority' }).click();
    await page.locator('.cm-line', { hasText: '"priority": ' }).waitFor();

    await write(page, JSON.stringify(strategyOf(id, [campaignOf('first')]), null, 2));
    await page.keyboard.press('Control+s');
    await page.getByText('The strategy is saved: 1 campaign, 0 rules.').waitFor();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await saved(id)).campaigns[0].campaign_id).to.equal('first');
    complaints.expectNone();
    await context.close();
  });

  it('marks what the exchange refuses at its place, leads there, and removes the mark once it is corrected', async () => {
    const id = await delegate();
    await upload(id, strategyOf(id, [campaignOf('a')]));
    const { page, context, complaints } = await open(id);
    await editorOf(page).waitFor();
    const faulty = { ...strategyOf(id, [{ ...campaignOf('a'), colour: 'red' }]), default_bid: -1 };
    await write(page, JSON.stringify(faulty, null, 2));
    await page.getByRole('button', { name: 'Save' }).click();
    const list = page.getByRole('alert').filter({ hasText: '2 things are to be mended' });
    await list.waitFor();
    expect(await page.locator('.cm-lintRange-error').allInnerTexts()).to.have.members(['-1', '"colour"']);
    await list.getByRole('button', { name: /default_bid/ }).click();
    await page.keyboard.press('Delete');
    await page.getByText('One thing is to be mended').waitFor();
    await expectAccessible(page);

    await write(page, '{ "version": "1.0", }');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').filter({ hasText: 'This is no JSON' }).waitFor();
    expect((await saved(id)).default_bid).to.equal(0);
    complaints.expectNone();
    await context.close();
  });

  it('shows each condition of each campaign on a sample request, and on one that is pasted', async () => {
    const id = await delegate();
    const campaigns = [
      { ...campaignOf('germany'), targeting: { countries: ['DEU'] }, priority: 5 },
      campaignOf(HOSTILE),
      campaignOf(LONG),
      ...Array.from({ length: 300 }, (_, at) => ({ ...campaignOf(`idle-${at}`), targeting: { countries: ['JPN'] } })),
    ];
    const conditions = [{ field: 'site.domain', operator: 'contains', value: HOSTILE }];
    const rules = [{ rule_id: 'on-news', campaign_id: 'germany', conditions, bid_cpm: 7 }];
    await upload(id, { ...strategyOf(id, campaigns), rules });
    const { page, context, complaints } = await open(id, { width: 390, scheme: 'dark' });
    await editorOf(page).waitFor();
    await page.getByLabel('Country').fill('DEU');
    await page.getByRole('button', { name: 'Simulate', exact: true }).click();
    await page.getByText('It bids and would win').waitFor();
    await page.getByText('2 of 303 campaigns could bid').waitFor();
    const reasons = page.getByRole('region', { name: 'Campaigns and their reasons' });
    // Only those in view are in the page.
    expect(await reasons.getByRole('listitem').count()).to.be.below(40);
    await page.getByRole('searchbox').fill('on-news');
    await page.getByText('1 of 303 campaigns', { exact: true }).waitFor();
    await reasons.getByRole('button', { name: /germany/ }).click();
    const rule = reasons.getByRole('table', { name: 'Rule on-news' });
    expect(await rule.getByRole('row').last().textContent())
      .to.include(HOSTILE)
      .and.include('nothing');
    await reasons.getByRole('table', { name: 'Targeting' }).getByText('DEU').first().waitFor();
    await expectNoOverflow(page);
    await expectAccessible(page);

    await page.getByText('Bid request (JSON)').click();
    const request = page.getByLabel('OpenRTB bid request');
    await request.fill('{"id": "r"}');
    await page.getByRole('button', { name: 'Simulate', exact: true }).click();
    await page.getByText('bid_request.imp is required.').waitFor();
    const site = { domain: `a${HOSTILE}b` };
    const pasted = {
      id: 'r',
      imp: [{ id: '1', banner: { w: 300, h: 250 }, bidfloor: 9 }],
      site,
      device: { geo: { country: 'DEU' } },
    };
    await request.fill(JSON.stringify(pasted));
    await page.getByRole('button', { name: 'Simulate', exact: true }).click();
    await page.getByText('It bids below the floor').waitFor();
    await reasons.getByText('Sets the price').waitFor();
    complaints.expectNone();
    await context.close();
  });

  it('runs a text that was not saved against recorded auctions, with a chart and a table by campaign', async () => {
    const pool = await create('/api/supply/pools', {});
    const publisher = await create('/api/supply/sources', { type: 'web', domain: 'news.example', pool_id: pool });
    const id = await delegate();
    await running.exchange.call('POST', `/api/demand/sources/${id}/pools/${pool}`);
    const recorded = async (): Promise<number> =>
      (await running.exchange.call('POST', `/api/demand/sources/${id}/strategy/backtest`, {})).body.auctions.recorded;
    const { page, context, complaints } = await open(id);
    await page.getByRole('button', { name: 'Start from this: One banner everywhere' }).click();
    await editorOf(page).waitFor();
    await page.getByRole('tab', { name: 'Backtest' }).click();
    await page.waitForURL(/try=backtest/);
    await page.getByRole('button', { name: 'Run the backtest' }).click();
    await page.getByText('No auctions were recorded in this time').waitFor();

    await eventually('auctions to be recorded', async () => {
      await callJson('POST', `${running.exchange.edgeUrl}/rtb`, {
        id: randomUUID(),
        imp: [{ id: '1', banner: { w: 300, h: 250 } }],
        site: { id: publisher },
      });
      return (await recorded()) > 0;
    });
    await write(
      page,
      JSON.stringify(strategyOf(id, [campaignOf('everywhere'), { ...campaignOf(HOSTILE), status: 'paused' }])),
    );
    await page.getByRole('button', { name: 'Run the backtest' }).click();
    const chart = page.getByRole('figure', { name: 'Bids, wins and spend by campaign' });
    await chart.getByText(/of \d+ bids? won/).waitFor();
    const table = page.getByRole('table', { name: 'Campaigns of the backtest' });
    expect(await table.getByRole('row', { name: /everywhere/ }).textContent()).to.match(/100%/);
    await table.getByText(HOSTILE).waitFor();
    await expectAccessible(page);
    expect((await running.exchange.call('GET', `/api/demand/sources/${id}/strategy`)).status).to.equal(404);

    // What is wrong with the text is marked in it, whether the page or the API found it.
    await write(page, JSON.stringify({ ...strategyOf(id, []), default_bid: 'much' }, null, 2));
    await page.getByRole('button', { name: 'Run the backtest' }).click();
    await page.getByText('One thing is to be mended').waitFor();
    expect(await page.locator('.cm-lintRange-error').allInnerTexts()).to.deep.equal(['"much"']);
    complaints.expectNone();
    await context.close();
  });

  it('says that another user was first, and shows that version or saves over it as the user chooses', async () => {
    const id = await delegate();
    await upload(id, strategyOf(id, [campaignOf('mine')]));
    const { page, context, complaints } = await open(id);
    await editorOf(page).waitFor();
    await write(page, JSON.stringify({ ...strategyOf(id, [campaignOf('mine')]), default_bid: 3 }, null, 2));
    await upload(id, strategyOf(id, [campaignOf('theirs')]));
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Somebody else changed this in the meantime' });
    await dialog.getByRole('button', { name: 'Show what it says now' }).click();
    await editorOf(page).getByText('"theirs"').first().waitFor();
    await page.getByText('Saved', { exact: true }).waitFor();

    await write(page, JSON.stringify(strategyOf(id, [campaignOf('mine-again')]), null, 2));
    await upload(id, strategyOf(id, [campaignOf('theirs-again')]));
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('button', { name: 'Save mine over it' }).click();
    await page.getByText('The strategy is saved: 1 campaign, 0 rules.').waitFor();
    expect((await saved(id)).campaigns[0].campaign_id).to.equal('mine-again');
    complaints.expectNone();
    await context.close();
  });

  it('tells what was written while it was saved from what is saved', async () => {
    const id = await delegate();
    await upload(id, strategyOf(id, [campaignOf('a')]));
    const { page, context, complaints } = await open(id);
    await editorOf(page).waitFor();
    let save = () => {};
    const held = new Promise<void>((resolve) => {
      save = resolve;
    });
    await page.route(
      `**/api/demand/sources/${id}/strategy`,
      async (route) => {
        await held;
        await route.continue();
      },
      { times: 1 },
    );
    await write(page, JSON.stringify(strategyOf(id, [campaignOf('sent')]), null, 2));
    await page.getByRole('button', { name: 'Save' }).click();
    await write(page, JSON.stringify(strategyOf(id, [campaignOf('written-since')]), null, 2));
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Download' }).click();
    await downloading;
    save();
    await page.getByText('The strategy is saved: 1 campaign, 0 rules.').waitFor();
    await page.getByText('Unsaved changes').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await saved(id)).campaigns[0].campaign_id).to.equal('written-since');
    complaints.expectNone();
    await context.close();
  });

  it('asks before what was not saved is left, by a link or by closing the page, and lets the keyboard leave the text', async () => {
    const id = await delegate();
    await upload(id, strategyOf(id, [campaignOf('a')]));
    const { page, context, complaints } = await open(id);
    await editorOf(page).waitFor();
    await write(page, '{}');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.closest(".cm-content") === null')).to.equal(true);
    await page.getByRole('link', { name: 'Campaigns', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await editorOf(page).textContent()).to.equal('{}');
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const warning = await asked;
    expect(warning.type()).to.equal('beforeunload');
    await warning.dismiss();
    await page.getByRole('link', { name: 'Campaigns', exact: true }).click();
    await dialog.getByRole('button', { name: 'Leave without saving' }).click();
    await page.waitForURL(/\/campaigns/);
    complaints.expectNone();
    await context.close();
  });

  it('opens a large file without colours, and none that no strategy can be', async () => {
    const id = await delegate();
    const { page, context, complaints } = await open(id);
    const opened = page.locator('input[type=file]');
    await opened.waitFor({ state: 'attached' });
    // Made in the page: twenty million bytes take long on their way to it.
    await page.evaluate(`{
      const input = document.querySelector('input[type=file]');
      const files = new DataTransfer();
      files.items.add(new File([new Uint8Array(20_000_001)], 'huge.json'));
      input.files = files.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }`);
    await page.getByRole('alert').filter({ hasText: 'no strategy is that large' }).waitFor();
    const html = `<p>${'x'.repeat(9_000)}</p>`;
    const creative = { creative_id: 'c', html, width: 300, height: 250 };
    const campaigns = Array.from({ length: 120 }, (_, at) => ({ ...campaignOf(`c-${at}`), creative }));
    const buffer = Buffer.from(JSON.stringify(strategyOf(id, campaigns)));
    await opened.setInputFiles({ name: 'large.json', mimeType: 'application/json', buffer });
    await page.getByText('This document is large').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The strategy is saved: 120 campaigns, 0 rules.').waitFor();
    complaints.expectNone();
    await context.close();
  });

  it('says what failed and asks again, and that a bidder of its own has no strategy', async () => {
    const id = await delegate();
    const { page, context } = await running.visit('/settings/keys');
    const failing = await failWith(page, 403, /\/api\/.*\/strategy$/);
    await page.goto(`/demand/${id}?tab=strategy`);
    await page.getByRole('alert').filter({ hasText: 'This is not yours.' }).waitFor();
    await failing.again();
    await page.reload();
    await page.getByText('Start from an example').waitFor();
    await expectAccessible(page);
    const bidder = await create('/api/demand/sources', { mode: 'rtb', endpoint_url: 'http://127.0.0.1:9/' });
    await page.goto(`/demand/${bidder}?tab=strategy`);
    await page.getByRole('tab', { name: 'Settings' }).waitFor();
    expect(await page.getByRole('tab', { name: 'Strategy' }).count()).to.equal(0);
    await context.close();
  });
});

function editorOf(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Strategy document' });
}

/** Puts a text in place of the whole, as from the clipboard. */
async function write(page: Page, text: string): Promise<void> {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await editorOf(page).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+v');
}

function campaignOf(id: string): Record<string, unknown> {
  const creative = { creative_id: 'box', html: HTML, width: 300, height: 250 };
  return { campaign_id: id, campaign_name: id, bidding: { base_cpm: 2 }, creative };
}

function strategyOf(dspId: string, campaigns: readonly object[]): Record<string, unknown> {
  return { version: '1.0', dsp_id: dspId, default_bid: 0, campaigns, rules: [] };
}
