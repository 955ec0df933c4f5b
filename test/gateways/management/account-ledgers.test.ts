import { expect } from 'chai';
import { ledger } from '#actors/ledger/ledger';
import { DAY_MS, hourLedgerId } from '#actors/ledger/ledger-id';
import { initAccountLedgersFromMs } from '#gateways/management/resources/metrics/scope-ledgers';
import { eventually } from '../../support/eventually.ts';
import { bookLedgers } from './book-ledgers.ts';
import { type AccountClients, type RunningManagement, startManagement } from './running-management.ts';

describe("an account's own ledgers", () => {
  let running: RunningManagement;
  let own: AccountClients;
  let partner: string;
  let nowMs: number;
  let todayMs: number;

  /**
   * Accounts have books from today on. Sources sold yesterday and today, a thousand impressions each day; a partner's
   * is one of two.
   */
  before(async function () {
    nowMs = Date.now();
    todayMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
    running = await startManagement(this, 'embedded', { accountLedgersFromMs: todayMs });
    own = await running.newAccount();
    partner = (await own.api.post('/api/partners', { name: 'Partner' })).body.id;
    const made = async (name: string, fields: object = {}, headers: Record<string, string> = {}) =>
      (await own.api.post('/api/supply/sources', { name, domain: 'd.example', type: 'web', ...fields }, headers)).body
        .id;
    const first = await made('First');
    const second = await made('Second', {}, { 'X-User-Partner-ID': partner });
    const rehearsal = await made('Rehearsal', { sandbox: true });
    const dsp = (await own.api.post('/api/demand/sources', { name: 'Buyer', mode: 'delegate' })).body.id;
    const days = [nowMs, nowMs - DAY_MS];
    await bookLedgers(running, [
      ...[first, second].flatMap((id) =>
        days.map((atMs) => ({ scope: 'publisher', id, counterparty: dsp, atMs }) as const),
      ),
      ...days.map((atMs) => ({ scope: 'dsp', id: dsp, counterparty: first, atMs }) as const),
      { scope: 'publisher', id: rehearsal, counterparty: dsp, sandbox: true },
    ]);
    // Said otherwise than its sources say, so that it shows who was read.
    const minuteMs = Math.floor(nowMs / 60_000) * 60_000;
    const id = hourLedgerId('account', own.accountId, nowMs, false);
    const counts = { auctions: 70, imps: 80, filledImps: 20, bidRequests: 90 };
    const facts = { minuteMs, region: 'fra', counts, counterparties: [], creatives: [], latency: {} };
    await running.node.messenger.tell(ledger, id, 'facts', facts);
    await eventually('the books to be saved', async () => (await running.store.load([{ kind: ledger.kind, id }]))[0]);
  });
  after(() => running?.close());

  it('are read for the days that they hold, and its sources for the days before', async () => {
    const { body } = await own.api.get('/api/metrics?period=7d');
    // Yesterday: 2 × 2000 auctions, 1000 impressions at 80 %, 2000 requests to the DSP.
    expect(body).to.include({
      auctions: 4000 + 70,
      impressions: 2000,
      revenue_cents: 400,
      bid_requests_sent: 2000 + 90,
      // (2 × 1000 + 20) of (2 × 4000 + 80) imps.
      fill_rate: 0.25,
    });
    expect((await own.api.get('/api/metrics?period=today')).body).to.include({ auctions: 70, bid_requests_sent: 90 });
    const { buckets } = (await own.api.get('/api/metrics?period=7d&breakdown=time')).body;
    expect(buckets.slice(-2).map(({ impressions }: { impressions: number }) => impressions)).to.deep.equal([2000, 0]);
  });

  it('are not read for a partner, nor for the sandbox', async () => {
    const ofPartner = await own.api.get('/api/metrics?period=7d', { 'X-User-Partner-ID': partner });
    expect(ofPartner.body).to.include({ auctions: 4000, impressions: 2000 });
    expect((await own.sandboxApi.get('/api/metrics?period=7d')).body).to.include({ auctions: 2000, impressions: 1000 });
  });

  it('hold from the first day of a new exchange, and from the next midnight of an older one', async () => {
    // This one has publishers.
    expect(await initAccountLedgersFromMs(running.store, nowMs)).to.equal(todayMs + DAY_MS);
    expect(await initAccountLedgersFromMs(running.store, nowMs + 40 * DAY_MS), 'settled once').to.equal(
      todayMs + DAY_MS,
    );
    const empty = {
      ...running.store,
      query: async () => ({ documents: [], total: 0 }),
      putIfAbsent: async (_: string, value: string) => value,
    };
    expect(await initAccountLedgersFromMs(empty, nowMs)).to.equal(todayMs);
  });
});
