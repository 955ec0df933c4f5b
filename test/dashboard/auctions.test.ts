import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Market } from '../specification/market.ts';
import { bids, noBid, silent } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { failWith } from './support/answers.ts';
import { expectAccessible, expectNoOverflow } from './support/axe.ts';
import type { Complaints } from './support/complaints.ts';
import { type RunningDashboard, startDashboard } from './support/dashboard.ts';
import { openMarket } from './support/market.ts';

const HOSTILE = '<img src=x onerror="window.hit=1"> مصدر';
const LIST = /\/api\/auctions(\?|$)/;
/** In the order of the market's bidders. */
const [WINNER, CHEAP, MUTE, QUIET] = [`Winner ${HOSTILE}`, 'Cheap', 'Mute', 'Quiet'];

describe('dashboard: auctions', () => {
  let running: RunningDashboard;
  let market: Market;
  let page: Page;
  let complaints: Complaints;
  before(async function () {
    running = await startDashboard(this);
    ({ page, complaints } = await running.visit('/auctions'));
  });
  after(async () => {
    await running?.stop();
    await market?.close();
  });
  afterEach(() => complaints?.expectNone());

  async function call(path: string) {
    const answer = await running.exchange.call('GET', path);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body;
  }
  const region = (name: string) => page.getByRole('region', { name, exact: true });
  const rows = () => page.getByRole('table', { name: 'Auctions' }).getByRole('row');
  /** Of the auctions that the API lists, once the page lists as many; the head is a row, too. */
  const listed = async (query: string) => {
    const { auctions } = await call(`/api/auctions?limit=100&${query}`);
    expect(auctions, query).not.to.deep.equal([]);
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    await rows().nth(auctions.length).waitFor();
    await rows()
      .nth(auctions.length + 1)
      .waitFor({ state: 'detached' });
    return auctions;
  };
  const choose = async (filter: string, option: string) => {
    await page.getByRole('combobox', { name: filter, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  /** The record of the auction of an ad request, once it has been written. */
  const recordOf = (requestId: string): Promise<{ id: string }> =>
    eventually('the auction to be recorded', async () => {
      const { auctions } = await call('/api/auctions?limit=100');
      return auctions.find((one: { auction_id: string }) => one.auction_id === requestId);
    });
  const figure = (name: string) =>
    page.locator('dl > div', { has: page.locator(`dt:text-is("${name}")`) }).locator('dd');

  it('says what comes first where no auction was held, and leads there', async () => {
    await page.getByText('No auction was held yet').waitFor();
    await page.getByRole('link', { name: 'Get a first ad' }).click();
    await page.waitForURL('**/start');
  });

  describe('of a market', () => {
    let filled: string;
    let blocked: string;
    let poolless: string;
    before(async () => {
      market = await openMarket(running.exchange, {
        publisher: { name: `News ${HOSTILE}`, floor_price_cpm: 5 },
        bidders: [
          { script: bids({ price: 10, crid: 'tall-one' }), dsp: { name: WINNER } },
          { script: bids({ price: 1.25 }), dsp: { name: CHEAP } },
          { script: silent(), dsp: { name: MUTE, timeout_ms: 60 } },
          { script: noBid(), dsp: { name: QUIET } },
        ],
      });
      const sold = market.request();
      const bid = await market.bid({ ...sold });
      expect((await fetch(bid.burl)).status).to.equal(200);
      const refused = market.request();
      expect((await market.ask({ ...refused, device: { ua: 'curl/8.5.0' } })).status).to.equal(403);
      const lone = { name: 'Lone', domain: 'lone.example', type: 'web' };
      const { body } = await running.exchange.call('POST', '/api/supply/sources', lone);
      const unsold = market.request({ site: { id: body.id } });
      await eventually('the edge to know the second publisher', async () => (await market.ask(unsold)).status === 204);
      filled = (await recordOf(sold.id)).id;
      blocked = (await recordOf(refused.id)).id;
      poolless = (await recordOf(unsold.id)).id;
      await eventually('the impression', async () => {
        const { sold } = await call(`/api/auctions/${filled}`);
        return sold[0].impression === 'billed';
      });
    });

    it('lists auctions with their outcomes, the newest first, by publisher, outcome and time in the URL', async () => {
      await page.goto('/auctions');
      const all = await listed('');
      const outcomes: string[] = all.map(({ outcome }: { outcome: string }) => outcome);
      expect(outcomes).to.include.members(['filled', 'unfilled', 'blocked']);
      const shown = await rows().locator('td:nth-child(2)').allTextContents();
      expect(shown.map((text) => text.toLowerCase())).to.deep.equal(outcomes);
      await rows()
        .filter({ hasText: `News ${HOSTILE}` })
        .first()
        .waitFor();

      await page.getByRole('combobox', { name: 'Publisher', exact: true }).fill('lon');
      await page.getByRole('option', { name: `News ${HOSTILE}` }).waitFor({ state: 'detached' });
      await page.getByRole('option', { name: 'Lone', exact: true }).click();
      await page.waitForURL(/publisher=/);
      await listed(`publisher_id=${new URL(page.url()).searchParams.get('publisher')}`);
      await choose('Publisher', `News ${HOSTILE}`);
      const publisher = `publisher_id=${market.publisherId}`;
      await page.waitForURL(new RegExp(market.publisherId));
      await choose('Outcome', 'Blocked');
      await listed(`${publisher}&outcome=blocked`);
      await choose('Time', 'Last hour');
      await page.waitForURL(/outcome=blocked.*since=1h/);
      await page.reload();
      await listed(`${publisher}&outcome=blocked`);
      expect(await page.getByRole('combobox', { name: 'Publisher' }).inputValue()).to.equal(`News ${HOSTILE}`);
      await choose('Region', 'NYC');
      await page.getByText('No recorded auction is like that').waitFor();
      await page.getByRole('button', { name: 'Clear the filters' }).click();
      await listed('');
      expect(new URL(page.url()).search).to.equal('');
      expect(await page.evaluate('window.hit')).to.equal(undefined);
    });

    it('finds the auctions of a demand source by what became of its part', async () => {
      const [, cheap] = market.bidders;
      await choose('Demand source', CHEAP);
      await choose('Outcome', 'Lost');
      await page.waitForURL(/dsp=.*outcome=lost/);
      const lost = await listed(`dsp_id=${cheap!.dspId}&outcome=lost`);
      await choose('Outcome', 'Won');
      await page.getByText('No recorded auction is like that').waitFor();
      await page.goto(`/auctions?dsp=${market.bidders[0]!.dspId}&outcome=won`);
      expect(await listed(`dsp_id=${market.bidders[0]!.dspId}&outcome=won`)).to.have.length(lost.length);
    });

    it('counts the reasons with what would change each, and shows the auctions of the one that is chosen', async () => {
      await page.goto('/auctions');
      const { reasons, auctions } = await call('/api/auctions/reasons');
      const why = region('Why');
      await why.getByText(`Over ${auctions} recorded auctions`).waitFor();
      const bars = why.getByRole('list', { name: 'Auctions by reason' }).getByRole('listitem');
      expect(await bars.count()).to.equal(Math.min(12, reasons.length));
      const one = reasons.find(({ reason }: { reason: string }) => reason === 'below-floor');
      const bar = bars.filter({ hasText: 'Below floor' });
      expect(await bar.textContent()).to.include(String(one.auctions));
      await bar.getByRole('button').focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(/reason=below-floor/);
      await listed('reason=below-floor');
      await why.getByText(one.why).waitFor();
      await why.getByText(`What to do: ${one.remedy}`).waitFor();
      await bar.getByRole('button', { pressed: true }).click();
      await listed('');
    });

    it('tells one auction from who was asked to what was billed', async () => {
      const auction = await call(`/api/auctions/${filled}`);
      await page.goto(`/auctions/${filled}`);
      await page.getByText(auction.summary).waitFor();
      await figure('Publisher').getByText(`News ${HOSTILE}`, { exact: true }).waitFor();
      await region('What was asked for').getByText('1: banner 300x250 · floor $5.00 of the publisher').waitFor();

      const asked = page.getByRole('list', { name: 'Demand sources of the auction' }).getByRole('listitem');
      expect(await asked.count()).to.equal(4);
      for (const [name, said] of [
        [WINNER, 'Won'],
        [CHEAP, 'Lost'],
        [MUTE, 'Timeout'],
        [QUIET, 'No bid'],
      ] as const) {
        const row = asked.filter({ has: page.getByRole('link', { name, exact: true }) });
        await row.getByText(said).first().waitFor();
        const part = auction.demand.find(({ dsp_id: id }: { dsp_id: string }) => id === idOf(name));
        await row.getByText(`${Math.round(part.latency_ms * 10) / 10} ms`, { exact: true }).waitFor();
      }

      const bid = (text: string) =>
        page.getByRole('table', { name: 'Bids' }).getByRole('row').filter({ hasText: text });
      const winning = await bid('tall-one').getByRole('cell').allTextContents();
      expect(winning.slice(2, 4)).to.deep.equal(['$10.00', '$5.00']);
      await bid(CHEAP).getByText('$1.25').waitFor();
      const [lost] = auction.demand.find(({ dsp_id: id }: { dsp_id: string }) => id === idOf(CHEAP)).bids;
      expect(lost).to.include({ reason: 'below-floor', floor_cpm: 5, price_cpm: 1.25 });
      const toWin = `$${lost.min_to_win_cpm.toFixed(2)} would have won.`;
      await bid(CHEAP).getByText(`Below floor. ${lost.why} ${toWin}`).waitFor();
      const sold = page.getByRole('table', { name: 'Sold impressions' }).getByRole('row').nth(1);
      await sold.getByText('Shown and billed').waitFor();
      const cells = await sold.getByRole('cell').allTextContents();
      expect([cells[2], cells[3], cells[5]]).to.deep.equal(['banner', '$10.00', '$0.01']);
      expect(await page.evaluate('window.hit')).to.equal(undefined);
    });

    it('says of auctions that sold nothing why, and what would change it', async () => {
      for (const id of [blocked, poolless]) {
        const auction = await call(`/api/auctions/${id}`);
        expect(auction.remedy).to.be.a('string');
        await page.goto(`/auctions/${id}`);
        await page.getByText(auction.summary).waitFor();
        await page.getByText(`What would change it: ${auction.remedy}`).waitFor();
        expect(await page.getByRole('table').count()).to.equal(0);
      }
    });

    it('says what fails and asks again, and names what does not exist or is not to be seen', async () => {
      const told = (text: string) => page.getByRole('alert').filter({ hasText: text }).first();
      const failing = await failWith(page, 503, LIST);
      await page.goto('/auctions');
      await told('The exchange is busy').waitFor();
      await failing.again();
      await page.getByRole('button', { name: 'Try again' }).first().click();
      await listed('');
      await page.goto('/auctions/no-such-auction');
      await told('This does not exist').waitFor();
      const refusing = await failWith(page, 403, LIST);
      await page.goto('/auctions');
      await told('This is not for you to see').waitFor();
      await refusing.again();
    });

    it('is accessible, light and dark, at 390 pixels', async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      const paths = ['/auctions', `/auctions/${filled}`, `/auctions/${poolless}`, '/auctions?reason=timeout'];
      for (const [index, path] of paths.entries()) {
        await page.emulateMedia({ colorScheme: index % 2 === 0 ? 'light' : 'dark' });
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.locator('section[aria-label]').first().waitFor();
        await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
        await expectAccessible(page);
        await expectNoOverflow(page);
      }
    });
  });

  const idOf = (name: string) => market.bidders[[WINNER, CHEAP, MUTE, QUIET].indexOf(name)]!.dspId;
});
