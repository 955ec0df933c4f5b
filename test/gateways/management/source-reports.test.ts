import { expect } from 'chai';
import { monthOf } from '#actors/ledger/report/month';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { bookLedgers } from './book-ledgers.ts';
import { errorOf, type ManagementClient } from './management-client.ts';
import { type AccountClients, type RunningManagement, startManagement } from './running-management.ts';

const DAY_MS = 86_400_000;
const nowMs = Date.now();
const thisMonth = monthOf(nowMs);
/**
 * In the month before the last, early: outside each period of reports but the longest, and over for more than a day on
 * any date, so that the sources, which are newer, have no statement of it to be frozen.
 */
const closedMs = Date.parse(`${monthOf(Date.parse(`${thisMonth}-01T00:00:00Z`) - 32 * DAY_MS)}-02T00:00:00Z`);

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/source reports on ${pair}`, () => {
    let running: RunningManagement;
    let own: AccountClients;
    let operator: ManagementClient;
    let session: ManagementClient;
    let publisher: string;
    let dsp: string;
    /** With the keys of sources. */
    let seller: ManagementClient;
    let buyer: ManagementClient;
    let rehearsal: ManagementClient;

    const made = async (path: string, body: object, client = own.api): Promise<string> => {
      const answer = await client.post(path, body);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer.body.id;
    };
    const withKey = async (path: string): Promise<ManagementClient> => {
      const answer = await session.post(`${path}/key`);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return running.anonymous.as({ 'X-API-Key': answer.body.key });
    };

    before(async function () {
      running = await startManagement(this, pair);
      own = await running.newAccount();
      operator = (await running.newUser(running.accountId, 'operator')).api;
      session = (await running.newUser(own.accountId)).api;
      const source = { domain: 'd.example', type: 'web' };
      publisher = await made('/api/supply/sources', { ...source, name: 'News' });
      const sandboxed = await made('/api/supply/sources', { ...source, name: 'Rehearsal', sandbox: true });
      dsp = await made('/api/demand/sources', { name: 'Buyer', mode: 'delegate' });
      seller = await withKey(`/api/supply/sources/${publisher}`);
      rehearsal = await withKey(`/api/supply/sources/${sandboxed}`);
      buyer = await withKey(`/api/demand/sources/${dsp}`);
      await operator.put(`/api/fees/${publisher}`, { fee_percent: 20 });
      await operator.put(`/api/fees/${dsp}`, { fee_percent: 5 });
      await bookLedgers(running, [
        { scope: 'publisher', id: publisher, counterparty: dsp },
        { scope: 'publisher', id: publisher, counterparty: dsp, atMs: closedMs },
        { scope: 'publisher', id: sandboxed, counterparty: dsp, sandbox: true },
        { scope: 'dsp', id: dsp, counterparty: publisher },
        { scope: 'dsp', id: dsp, counterparty: publisher, atMs: closedMs },
      ]);
    });
    after(() => running?.close());

    it('of a publisher are its own figures', async () => {
      const { status, body } = await seller.get('/api/source/report?period=24h');
      expect(status).to.equal(200);
      expect(body).to.deep.equal({
        publisher: 'News',
        publisher_id: publisher,
        period: '24h',
        month: thisMonth,
        impressions: 1000,
        revenue_cents: 200,
        auctions: 2000,
        fill_rate: 0.25,
        avg_cpm: 2,
      });
    });

    it('of a DSP are its own figures', async () => {
      const { status, body } = await buyer.get('/api/demand/report?period=24h');
      expect(status).to.equal(200);
      expect(body).to.deep.equal({
        dsp: 'Buyer',
        dsp_id: dsp,
        period: '24h',
        month: thisMonth,
        spend_cents: 250,
        wins: 1000,
        avg_cpm: 2.5,
      });
    });

    it('of funnels and of blocked requests say what the account reads of the same source', async () => {
      const same = [
        [seller, '/api/source/funnel', `/api/supply/sources/${publisher}/funnel`],
        [seller, '/api/source/blocked', `/api/supply/sources/${publisher}/blocked`],
        [buyer, '/api/demand/funnel', `/api/demand/sources/${dsp}/funnel`],
      ] as const;
      for (const [client, ofKey, ofAccount] of same) {
        for (const query of ['', '?period=30d', '?period=24h&region=fra']) {
          const { status, body } = await client.get(`${ofKey}${query}`);
          expect(status, JSON.stringify(body)).to.equal(200);
          expect(body, ofKey).to.deep.equal((await own.api.get(`${ofAccount}${query}`)).body);
        }
        expect(errorOf(await client.get(`${ofKey}?period=14d`))).to.equal('400 INVALID_PARAMS period');
      }
      expect((await seller.get('/api/source/funnel')).body).to.include({ publisher_id: publisher, rendered: 1000 });
      expect((await buyer.get('/api/demand/funnel')).body).to.include({ dsp_id: dsp, spend_cents: 250 });
    });

    it('of funnels and of blocked requests are of no source but that of the key', async () => {
      for (const query of [`publisher_id=${publisher}`, `id=${publisher}`, `dsp_id=${dsp}`, 'sandbox=false']) {
        const { status, body } = await rehearsal.get(`/api/source/funnel?${query}`);
        expect(status).to.equal(200);
        expect(body.publisher_id).not.to.equal(publisher);
      }
      expect(errorOf(await seller.get('/api/demand/funnel'))).to.equal('403 FORBIDDEN');
      expect(errorOf(await buyer.get('/api/source/funnel'))).to.equal('403 FORBIDDEN');
      expect(errorOf(await buyer.get('/api/source/blocked'))).to.equal('403 FORBIDDEN');
      expect(errorOf(await own.api.get('/api/source/blocked'))).to.equal('403 FORBIDDEN');
    });

    it('take the periods of source reports, 7d by default', async () => {
      for (const [client, path] of [
        [seller, '/api/source/report'],
        [buyer, '/api/demand/report'],
      ] as const) {
        expect((await client.get(path)).body.period).to.equal('7d');
        for (const period of ['24h', '7d', '14d', '30d']) {
          expect((await client.get(`${path}?period=${period}`)).body.period).to.equal(period);
        }
        for (const period of ['1h', 'today', '31d', '']) {
          expect(errorOf(await client.get(`${path}?period=${period}`))).to.equal('400 INVALID_PARAMS period');
        }
      }
    });

    it('of billing are read without the key of the source by its account, and by operators of any account', async () => {
      for (const [path, key, without] of [
        ['/api/source/billing', seller, `/api/supply/sources/${publisher}/billing`],
        ['/api/demand/billing', buyer, `/api/demand/sources/${dsp}/billing`],
      ] as const) {
        for (const query of ['', `?month=${monthOf(closedMs)}`]) {
          const { body } = await key.get(`${path}${query}`);
          for (const client of [own.api, session, operator])
            expect((await client.get(`${without}${query}`)).body, without).to.deep.equal(body);
        }
        const other = await running.newAccount();
        expect(errorOf(await other.api.get(without))).to.equal('404 NOT_FOUND');
        expect(errorOf(await own.api.get(`${without}?month=2999-01`))).to.equal('400 INVALID_PARAMS month');
        const { headers } = await operator.get(without, { Accept: 'text/csv' });
        expect(headers.get('content-type')).to.match(/^text\/csv/);
      }
    });

    it('of a source in the sandbox are of its sandbox ledgers', async () => {
      expect((await rehearsal.get('/api/source/report')).body).to.include({
        publisher: 'Rehearsal',
        impressions: 1000,
      });
      expect((await rehearsal.get('/api/source/billing')).body.payout).to.include({ gross_revenue_cents: 250 });
    });

    const payout = {
      gross_revenue_cents: 250,
      fee_percent: 20,
      fee_cents: 50,
      net_payout_cents: 200,
      impressions: 1000,
      currency: 'USD',
    };
    // 250 cents and 5 %: 262.5, to the even cent.
    const invoice = {
      spend_cents: 250,
      fee_percent: 5,
      fee_cents: 12,
      total_due_cents: 262,
      wins: 1000,
      currency: 'USD',
    };

    it('bill a publisher by the month', async () => {
      const current = await seller.get('/api/source/billing');
      const common = { publisher: 'News', publisher_id: publisher };
      expect(current.body).to.deep.equal({ ...common, month: thisMonth, status: 'in_progress', payout });
      const closed = await seller.get(`/api/source/billing?month=${monthOf(closedMs)}`);
      expect(closed.body).to.deep.equal({ ...common, month: monthOf(closedMs), status: 'finalized', payout });
      const none = await seller.get('/api/source/billing?month=2001-01');
      expect(none.body).to.deep.include({ month: '2001-01', status: 'finalized' });
      expect(none.body.payout).to.include({
        gross_revenue_cents: 0,
        fee_cents: 0,
        net_payout_cents: 0,
        fee_percent: 20,
      });
    });

    it('bill a DSP by the month', async () => {
      const current = await buyer.get(`/api/demand/billing?month=${thisMonth}`);
      const common = { dsp: 'Buyer', dsp_id: dsp };
      expect(current.body).to.deep.equal({ ...common, month: thisMonth, status: 'in_progress', invoice });
      const closed = await buyer.get(`/api/demand/billing?month=${monthOf(closedMs)}`);
      expect(closed.body).to.deep.equal({ ...common, month: monthOf(closedMs), status: 'finalized', invoice });
    });

    it('refuse a month that is none or has not begun', async () => {
      const nextMonth = monthOf(Date.parse(`${thisMonth}-28T00:00:00Z`) + 5 * DAY_MS);
      for (const [client, path] of [
        [seller, '/api/source/billing'],
        [buyer, '/api/demand/billing'],
      ] as const) {
        for (const month of [nextMonth, '9999-12', '2026-13', '2026-1', 'now', '', '2026-01-01']) {
          expect(errorOf(await client.get(`${path}?month=${month}`)), month).to.equal('400 INVALID_PARAMS month');
        }
      }
    });

    it('are for the source’s own key alone', async () => {
      const paths = [
        ['/api/source/report', seller, buyer],
        ['/api/source/billing', seller, buyer],
        ['/api/demand/report', buyer, seller],
        ['/api/demand/billing', buyer, seller],
      ] as const;
      for (const [path, right, wrong] of paths) {
        expect((await right.get(path)).status, path).to.equal(200);
        for (const client of [wrong, own.api, own.sandboxApi, session, operator]) {
          expect(errorOf(await client.get(path)), path).to.equal('403 FORBIDDEN');
        }
        expect(errorOf(await running.anonymous.get(path)), path).to.equal('401 UNAUTHORIZED');
      }
    });

    it('are CSV for those who ask for that', async () => {
      const csv = async (client: ManagementClient, path: string) => {
        const { headers, body } = await client.get(path, { Accept: 'text/csv' });
        expect(headers.get('content-type')).to.match(/^text\/csv/);
        return body.trim().split(/\r?\n/);
      };
      expect(await csv(seller, '/api/source/report?period=24h')).to.deep.equal([
        'publisher,publisher_id,period,month,impressions,revenue_cents,auctions,fill_rate,avg_cpm',
        `News,${publisher},24h,${thisMonth},1000,200,2000,0.25,2`,
      ]);
      expect(await csv(buyer, '/api/demand/report?period=24h')).to.deep.equal([
        'dsp,dsp_id,period,month,spend_cents,wins,avg_cpm',
        `Buyer,${dsp},24h,${thisMonth},250,1000,2.5`,
      ]);
      expect(await csv(seller, '/api/source/billing')).to.deep.equal([
        'publisher,publisher_id,month,status,gross_revenue_cents,fee_percent,fee_cents,net_payout_cents,impressions,currency,late_impressions,late_gross_cents,finalized_at,pages_sha256,invalid_impressions,invalid_reasons,adjusted_impressions,adjustments,due_after_adjustments_cents,invalid_billed_later',
        `News,${publisher},${thisMonth},in_progress,250,20,50,200,1000,USD,0,0,,,0,,0,,,0`,
      ]);
      expect(await csv(buyer, '/api/demand/billing')).to.deep.equal([
        'dsp,dsp_id,month,status,spend_cents,fee_percent,fee_cents,total_due_cents,wins,currency,late_impressions,late_gross_cents,finalized_at,pages_sha256,invalid_impressions,invalid_reasons,adjusted_impressions,adjustments,due_after_adjustments_cents,invalid_billed_later',
        `Buyer,${dsp},${thisMonth},in_progress,250,5,12,262,1000,USD,0,0,,,0,,0,,,0`,
      ]);
    });

    it('are there for a source that is archived: it is still paid, or pays', async () => {
      const site = await made('/api/supply/sources', { name: 'Leaving', domain: 'd.example', type: 'web' });
      const bidder = await made('/api/demand/sources', { name: 'Leaving too', mode: 'delegate' });
      const [leaving, leavingToo] = [
        await withKey(`/api/supply/sources/${site}`),
        await withKey(`/api/demand/sources/${bidder}`),
      ];
      await bookLedgers(running, [
        { scope: 'publisher', id: site, counterparty: bidder },
        { scope: 'dsp', id: bidder, counterparty: site },
      ]);
      await own.api.delete(`/api/supply/sources/${site}`);
      await own.api.delete(`/api/demand/sources/${bidder}`);
      const paid = await leaving.get('/api/source/billing');
      expect([paid.status, paid.body.payout?.net_payout_cents]).to.deep.equal([200, 200]);
      const owed = await leavingToo.get('/api/demand/billing');
      expect([owed.status, owed.body.invoice?.spend_cents]).to.deep.equal([200, 250]);
      expect((await leaving.get('/api/source/report')).body.impressions).to.equal(1000);
      expect(errorOf(await leaving.get('/api/supply/sources'))).to.equal('403 FORBIDDEN');
    });
  });
