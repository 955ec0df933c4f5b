import { expect } from 'chai';
import type { Page, WebSocketRoute } from 'playwright-core';
import type { Market } from '../specification/market.ts';
import { bids, silent } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { failWith } from './support/answers.ts';
import { expectAccessible, expectNoOverflow } from './support/axe.ts';
import type { Complaints } from './support/complaints.ts';
import { type RunningDashboard, startDashboard } from './support/dashboard.ts';
import { openMarket } from './support/market.ts';

const HOSTILE = '<img src=x onerror="window.hit=1"> مصدر';
const SHOWN = 3;
/** So many timeouts in a row are more than a bidder is asked through. */
const BURST = 30;

describe('dashboard: overview and first ad', () => {
  let running: RunningDashboard;
  let page: Page;
  let complaints: Complaints;
  before(async function () {
    running = await startDashboard(this);
    ({ page, complaints } = await running.visit('/'));
  });
  after(() => running?.stop());
  afterEach(() => complaints?.expectNone());

  async function call(method: string, path: string, body?: object, headers = {}) {
    const answer = await running.exchange.call(method, path, body, headers);
    expect(answer.status, JSON.stringify(answer.body)).to.be.within(200, 201);
    return answer.body;
  }
  const region = (name: string) => page.getByRole('region', { name, exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  /** The value beside the name of a figure, in a part of the page. */
  const figure = (name: string, of = page.locator('main')) =>
    of
      .locator('dl > div', { has: page.locator(`dt:text-is("${name}")`) })
      .locator('dd')
      .first();

  const inSandbox = { 'X-Sandbox': 'true' };

  describe('on an empty exchange', () => {
    it('says what comes next, shows zeros, and finds what is not finished', async () => {
      await page.getByText('From here to a first ad').waitFor();
      await figure('Requests', region('Today')).getByText('0', { exact: true }).waitFor();
      await region('Revenue and impressions').getByText('Nothing was shown in this time').waitFor();
      await region('Needs attention').getByText('Nothing does').waitFor();
      const { id } = await call('POST', '/api/supply/sources', { name: HOSTILE, domain: 'news.example', type: 'web' });
      await page.reload();
      await region('Needs attention').getByText(`${HOSTILE} is in no pool`).waitFor();
      await page.getByRole('link', { name: `Open ${HOSTILE}` }).click();
      await page.waitForURL(`**/supply/${id}`);
      await page.goBack();
      expect(await page.evaluate('window.hit')).to.equal(undefined);
      await call('DELETE', `/api/supply/sources/${id}`);
    });

    it('leads from nothing to an ad in the sandbox, and to the auction that it came from', async () => {
      await page.getByRole('link', { name: 'Get a first ad' }).click();
      await page.getByRole('link', { name: 'Begin in the sandbox' }).click();
      await page.waitForURL(/\/start\?sandbox=true/);
      const step = (title: string) => page.getByRole('listitem').filter({ hasText: title });
      const publisher = step('A publisher');
      await publisher.getByLabel('Name').fill(HOSTILE);
      await publisher.getByLabel('Domain').fill('no domain');
      await button('Create publisher').click();
      await publisher.getByText(/^domain must/).waitFor();
      expect(await publisher.getByLabel('Domain').getAttribute('aria-invalid')).to.equal('true');
      await publisher.getByLabel('Domain').fill('news.example');
      await page.keyboard.press('Enter');
      await publisher.getByText('asks for ads on news.example').waitFor();
      await step('A pool').getByLabel('Name').fill(`Pool ${HOSTILE}`);
      await page.keyboard.press('Enter');
      await step('A pool').getByText('has 1 publisher.').waitFor();

      // What was made stands in the URL.
      await page.reload();
      await step('Demand').getByLabel('Name').fill(`Buyer ${HOSTILE}`);
      await page.keyboard.press('Enter');
      await step('Demand').getByText('buys from the pool').waitFor();
      const { publisher: id, dsp } = Object.fromEntries(new URL(page.url()).searchParams);
      const came = page.getByText('An ad came', { exact: true });
      await button('Ask for an ad').click();
      await eventually('an ad to come', async () => {
        await came.or(page.getByText('No ad came', { exact: true })).waitFor();
        if (await came.isVisible()) return true;
        await button('Ask again').click();
        return false;
      });
      await page
        .frameLocator('iframe[title="The ad in a page"]')
        .frameLocator('iframe')
        .getByText('Your first ad')
        .waitFor();
      await page.getByRole('list', { name: 'Demand sources of the auction' }).getByText('Won').waitFor();
      await page.getByText('That is the whole exchange').waitFor();
      await expectAccessible(page);

      await page.getByRole('link', { name: 'Open it by itself' }).click();
      await page.waitForURL(/\/auctions\/[^?]+\?.*sandbox=true/);
      const record = new URL(page.url()).pathname.split('/').at(-1);
      const auction = await call('GET', `/api/auctions/${record}`, undefined, inSandbox);
      expect(auction).to.deep.include({ publisher_id: id, outcome: 'filled' });
      expect(auction.sold[0]).to.include({ dsp_id: dsp, clearing_cpm: 2.5, impression: 'awaited' });
      await page.getByRole('table', { name: 'Sold impressions' }).getByText('Not shown yet').waitFor();
      expect(await page.evaluate('window.hit')).to.equal(undefined);
    });

    it('takes those in a hurry to an ad of the sandbox’s own bidders', async () => {
      await page.goto('/start?sandbox=true');
      await button('Go on').click();
      await page.getByText('The sandbox’s own bidders.').waitFor();
      await button('Ask for an ad').click();
      await page.getByRole('list', { name: 'Demand sources of the auction' }).waitFor();
    });
  });

  describe('with traffic', () => {
    let market: Market;
    let mute: Market;
    before(async () => {
      [market, mute] = await Promise.all([
        openMarket(running.exchange, {
          publisher: { floor_price_cpm: 5 },
          bidders: [{ script: bids({ price: 1233.0001 }), dsp: { name: `Spent ${HOSTILE}` } }],
        }),
        openMarket(running.exchange, { bidders: [{ script: silent(), dsp: { name: 'Mute', timeout_ms: 50 } }] }),
      ]);
      await Promise.all(Array.from({ length: BURST }, () => mute.ask()));
      for (let shown = 0; shown < SHOWN; shown++) expect((await fetch((await market.bid()).burl)).status).to.equal(200);
      // Three impressions of 123 cents are more than nine tenths of it.
      const budget = `/api/demand/dsp/${market.bidders[0]!.dspId}/budget`;
      await call('PATCH', budget, { daily_budget_cents: 400 });
      await eventually('the figures of all that was asked, and who is to be looked after', async () => {
        const { today } = await call('GET', '/api/overview');
        const { matters } = await call('GET', '/api/attention');
        const requests = market.answers.length + mute.answers.length;
        const kinds = matters.map(({ kind }: { kind: string }) => kind);
        const found = kinds.includes('breaker-open') && kinds.includes('budget-nearly-spent');
        return today.requests === requests && today.rendered === SHOWN && found;
      });
    });
    after(async () => {
      await market?.close();
      await mute?.close();
    });

    it('shows today and the running month as the API has them, and no hint to newcomers', async () => {
      await page.goto('/');
      for (const [title, name] of [
        ['Today', 'today'],
        ['This month', 'month'],
      ] as const) {
        const of = (await call('GET', '/api/overview'))[name];
        await figure('Requests', region(title))
          .getByText(of.requests.toLocaleString('en-US'), { exact: true })
          .waitFor();
        await figure('Filled', region(title)).getByText(of.filled.toLocaleString('en-US'), { exact: true }).waitFor();
        await figure('Shown', region(title)).getByText(String(SHOWN), { exact: true }).waitFor();
        expect(of.gross_cents).to.equal(369.9);
        await figure('Revenue', region(title)).getByText('$3.70').waitFor();
        await figure('Revenue', region(title)).locator('[tabindex]').hover();
        await page.getByRole('tooltip').getByText('$3.699').waitFor();
        await page.mouse.move(0, 0);
      }
      expect(await page.getByText('From here to a first ad').count()).to.equal(0);
    });

    it('draws revenue and impressions of a period and a region that stand in the URL', async () => {
      const chart = region('Revenue and impressions');
      await chart.getByText('As a table').click();
      const { buckets } = await call('GET', '/api/metrics?period=24h&breakdown=time');
      await chart.getByRole('row').nth(buckets.length).waitFor();
      const cells = await chart.getByRole('row').locator('td:last-child').allTextContents();
      expect(cells.reduce((sum, cell) => sum + Number(cell), 0)).to.equal(SHOWN);
      await chart.getByText('7 days', { exact: true }).click();
      await page.waitForURL(/period=7d/);
      await page.getByRole('combobox', { name: 'Region' }).click();
      await page.getByRole('option', { name: 'NYC' }).click();
      await page.waitForURL(/period=7d.*region=nyc/);
      await chart.getByText('Nothing was shown in this time').waitFor();
      await page.reload();
      await chart.getByText('Nothing was shown in this time').waitFor();
      expect(await page.getByRole('radio', { name: '7 days' }).isChecked()).to.equal(true);
      expect(await page.getByRole('combobox', { name: 'Region' }).inputValue()).to.equal('NYC');
    });

    it('shows the sandbox’s figures apart from live ones', async () => {
      await page.getByRole('switch', { name: 'Sandbox' }).check({ force: true });
      await page.waitForURL(/sandbox=true/);
      const { today } = await call('GET', '/api/overview', undefined, { 'X-Sandbox': 'true' });
      await figure('Requests', region('Today'))
        .getByText(today.requests.toLocaleString('en-US'), { exact: true })
        .waitFor();
      await figure('Shown', region('Today')).getByText(String(today.rendered), { exact: true }).waitFor();
      expect(today.rendered).to.be.below(SHOWN);
      await page.goto('/');
    });

    it('shows no live figures below the sandbox’s banner while the sandbox’s own are awaited', async () => {
      await figure('Shown', region('Today')).getByText(String(SHOWN), { exact: true }).waitFor();
      let answer = () => {};
      const held = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route('**/api/overview', async (route) => {
        await held;
        await route.continue();
      });
      await page.getByRole('switch', { name: 'Sandbox' }).check({ force: true });
      await page.waitForURL(/sandbox=true/);
      await page.getByText('Sandbox: test data').first().waitFor();
      expect(await page.getByText(String(SHOWN), { exact: true }).count()).to.equal(0);
      answer();
      const { today } = await call('GET', '/api/overview', undefined, { 'X-Sandbox': 'true' });
      await figure('Shown', region('Today')).getByText(String(today.rendered), { exact: true }).waitFor();
      await page.unroute('**/api/overview');
      await page.goto('/');
    });

    it('names what needs attention, the worst first, and links to where it is resolved', async () => {
      const attention = region('Needs attention');
      const open = attention.getByRole('listitem').filter({ hasText: 'Mute is not asked for bids' });
      await open.getByText('Now', { exact: true }).waitFor();
      const spent = attention.getByRole('listitem').filter({ hasText: 'has spent 92 % of its budget' });
      await spent.getByText(`Spent ${HOSTILE}`).first().waitFor();
      await open.getByRole('link', { name: 'Open Mute' }).click();
      await page.waitForURL(`**/demand/${mute.bidders[0]!.dspId}`);
      expect(await page.evaluate('window.hit')).to.equal(undefined);
    });

    it('shows live figures as they come over the WebSocket', async () => {
      const frame = page
        .waitForEvent('websocket', (socket) => socket.url().endsWith('/ws/metrics'))
        .then((socket) => socket.waitForEvent('framereceived'));
      await page.goto('/');
      const said = JSON.parse(String((await frame).payload));
      await page.getByRole('status', { name: 'State of the live figures' }).getByText('Live').waitFor();
      expect(said.rps).to.be.greaterThan(0);
      await figure('Auctions a second').getByText(said.rps.toFixed(2)).waitFor();
    });

    it('says that live figures are stale when the connection is lost, and connects again', async () => {
      const sockets: WebSocketRoute[] = [];
      const { page, context, complaints } = await running.visit('/login', { as: null });
      await page.routeWebSocket('**/ws/metrics', (socket) => void sockets.push(socket));
      await context.addCookies([cookieOf(await running.exchange.logIn())]);
      await page.goto('/');
      const connected = (count: number) =>
        eventually(`connection ${count}`, () => (sockets.length >= count ? sockets[count - 1] : null));
      const tell = (socket: WebSocketRoute, rps: number) =>
        socket.send(
          JSON.stringify({
            ...{ type: 'metrics_update', timestamp: '2026-03-14T09:26:53Z' },
            ...{ rps, fill_rate_1m: 0.875, revenue_cents_1m: 1234 },
          }),
        );
      const state = page.getByRole('status', { name: 'State of the live figures' });
      const first = await connected(1);
      await state.getByText('Connecting').waitFor();
      tell(first, 1234);
      await page.getByText('1,234', { exact: true }).waitFor();
      await page.getByText('87.5%', { exact: true }).waitFor();
      await page.getByText('$12.34', { exact: true }).waitFor();
      await first.close();
      await state.getByText('Stale').waitFor();
      await state.getByText(/Nothing has come since 2026-03-14 09:26:53 UTC/).waitFor();
      tell(await connected(2), 2.5);
      await state.getByText('Live').waitFor();
      await page.getByText('2.50', { exact: true }).waitFor();
      complaints.expectNone();
      await context.close();
    });

    it('connects again when nothing comes over a connection that was never closed', async () => {
      const sockets: WebSocketRoute[] = [];
      const { page, context, complaints } = await running.visit('/login', { as: null });
      await page.routeWebSocket('**/ws/metrics', (socket) => void sockets.push(socket));
      await page.clock.install();
      await context.addCookies([cookieOf(await running.exchange.logIn())]);
      await page.goto('/');
      const connected = (count: number) => eventually(`connection ${count}`, () => sockets.length >= count || null);
      await connected(1);
      const state = page.getByRole('status', { name: 'State of the live figures' });
      await state.getByText('Connecting').waitFor();
      await page.clock.fastForward('00:12');
      await state.getByText('Stale').waitFor();
      await page.clock.fastForward('00:01');
      await connected(2);
      // The next one hangs from the start.
      await page.clock.fastForward('00:12');
      await page.clock.fastForward('00:02');
      await connected(3);
      complaints.expectNone();
      await context.close();
    });

    it('says what fails part by part, and asks again', async () => {
      await page.goto('/settings');
      const failing = await failWith(page, 503, /\/api\/(overview|attention)$/);
      await page.goto('/');
      const alerts = page.getByRole('alert').filter({ hasText: 'The store does not answer.' });
      await alerts.nth(1).waitFor();
      expect(await alerts.count()).to.equal(2);
      await failing.again();
      await alerts.first().getByRole('button', { name: 'Try again' }).click();
      await region('Today').waitFor();
    });

    it('is accessible, light and dark, at 390 pixels', async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      for (const [index, path] of ['/', '/?sandbox=true&period=30d', '/start', '/start?sandbox=true'].entries()) {
        await page.emulateMedia({ colorScheme: index % 2 === 0 ? 'light' : 'dark' });
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.locator('section[aria-label], form, [role="alert"]').first().waitFor();
        await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
        await expectAccessible(page);
        await expectNoOverflow(page);
      }
    });
  });

  const cookieOf = (cookie: string) => {
    const [name = '', value = ''] = cookie.split('=', 2);
    return { name, value, url: running.exchange.baseUrl };
  };
});
