import { expect } from 'chai';
import { bids } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { type Answer, callJson, PROVIDER_PAIRS } from '../support/exchange.ts';
import { ABSENT_ID, againstExchange, errorOf } from './against-exchange.ts';
import type { Market } from './market.ts';
import { shows } from './shows.ts';

/** 123.30001 cents an impression. */
const CPM = 1233.0001;

/**
 * By hand, in cents: one impression without a fee, then one under the publisher's fee of 15 %. Gross 246.60002; of the
 * second the exchange keeps 18.4950015; so 228.1050185 are the publisher's. With a fee of 5 % the DSP owes 258.930021.
 */
const GROSS = 246.6;
const NET = 228.105;

againstExchange(
  'reports, billing and fees',
  (exchange) => {
    let market: Market;
    let dspId: string;
    let sellerKey: string;
    let buyerKey: string;
    let operator: Record<string, string>;
    const answers = new Map<string, Answer>();
    const feesAtFirst: number[] = [];

    const withKey = (key: string, path: string, headers: Record<string, string> = {}) =>
      callJson('GET', `${exchange.running.baseUrl}${path}`, undefined, { 'X-API-Key': key, ...headers });
    const byOperator = (method: string, path: string, body?: unknown) =>
      callJson(method, `${exchange.running.baseUrl}${path}`, body, operator);
    const feeOf = async (id: string): Promise<number> => (await exchange.get(`/api/fees/${id}`)).body.fee_percent;
    const setFee = async (id: string, percent: number) => {
      const answer = await byOperator('PUT', `/api/fees/${id}`, { fee_percent: percent });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    };
    const keyOf = async (path: string): Promise<string> => (await byOperator('POST', `${path}/key`)).body.key;
    const render = async () => expect((await fetch((await market.bid()).burl)).status).to.equal(200);
    /**
     * Out of the pool and back: when auctions have followed, the edge knows all that was said of the publisher before.
     */
    const edgeFollows = async () => {
      for (const [poolId, status] of [
        [null, 204],
        [market.poolId, 200],
      ] as const) {
        await exchange.call('PUT', `/api/supply/sources/${market.publisherId}`, { pool_id: poolId });
        const answered = async () => (await market.ask()).status === status;
        await eventually(`auctions to be answered ${status}`, answered, { timeoutMs: 60_000 });
      }
    };

    before(async () => {
      operator = { Cookie: await exchange.running.logIn() };
      market = await exchange.market({ bidders: [{ script: bids({ price: CPM }) }] });
      dspId = market.bidders[0]!.dspId;
      sellerKey = await keyOf(`/api/supply/sources/${market.publisherId}`);
      buyerKey = await keyOf(`/api/demand/sources/${dspId}`);
      feesAtFirst.push(await feeOf(market.publisherId), await feeOf(dspId));
      await render();
      await setFee(market.publisherId, 15);
      await setFee(dspId, 5);
      await edgeFollows();
      await render();
      await eventually(
        'both impressions to be in all figures',
        async () => {
          for (const [name, answer] of [
            ['stats', exchange.get(`/api/supply/sources/${market.publisherId}/stats`)],
            ['publisher', exchange.get(`/api/metrics/publisher/${market.publisherId}`)],
            ['dsp', exchange.get(`/api/metrics/dsp/${dspId}`)],
            ['platform', exchange.get('/api/metrics')],
            ['report', withKey(sellerKey, '/api/source/report')],
            ['billing', withKey(sellerKey, '/api/source/billing')],
            ['dsp report', withKey(buyerKey, '/api/demand/report')],
            ['dsp billing', withKey(buyerKey, '/api/demand/billing')],
          ] as const) {
            answers.set(name, await answer);
          }
          const { payout } = of('billing');
          const { invoice } = of('dsp billing');
          const impressions = [of('stats'), of('dsp'), of('platform'), payout].map((figures) => figures.impressions);
          const counted = of('report').auctions === market.answers.length && of('dsp').wins === soldImps();
          return impressions.every((count) => count === 2) && invoice.wins === 2 && counted;
        },
        { timeoutMs: 60_000, everyMs: 100 },
      );
    });

    const of = (name: string) => answers.get(name)!.body;
    const soldImps = () => market.answers.filter(({ answer }) => answer.status === 200).length;

    shows(['fees.read', 'fees.write'], async () => {
      expect(feesAtFirst).to.deep.equal([0, 0]);
      expect([await feeOf(market.publisherId), await feeOf(dspId)]).to.deep.equal([15, 5]);
      const byKey = await exchange.call('PUT', `/api/fees/${dspId}`, { fee_percent: 1 });
      expect(errorOf(byKey)).to.equal('403 FORBIDDEN');
      const finer = await byOperator('PUT', `/api/fees/${dspId}`, { fee_percent: 5.00001 });
      expect(errorOf(finer)).to.equal('400 VALIDATION_ERROR fee_percent');
      expect(errorOf(await byOperator('PUT', `/api/fees/${ABSENT_ID}`, { fee_percent: 1 }))).to.equal('404 NOT_FOUND');
    });

    shows('money.revenue-is-net', () => {
      expect(of('stats')).to.include({ revenue_cents: NET, ecpm_cents: 114_052.5092 });
      expect(of('platform').revenue_cents).to.equal(NET);
    });
    shows('money.breakdown-gross', () => {
      expect(of('publisher').revenue_cents).to.equal(NET);
      expect(of('publisher').dsp_breakdown).to.have.length(1);
      expect(of('publisher').dsp_breakdown[0]).to.include({ dsp_id: dspId, spend_cents: GROSS });
      expect(of('dsp').spend_cents).to.equal(GROSS);
    });

    // Here without a crash; with crashes of everything in test/faults/exchange, and for months in
    // test/simulation/money.
    shows('money.conserved', async () => {
      for (const period of ['1h', '6h', 'today', '24h', '7d', '30d']) {
        const publisher = (await exchange.get(`/api/metrics/publisher/${market.publisherId}?period=${period}`)).body;
        const dsp = (await exchange.get(`/api/metrics/dsp/${dspId}?period=${period}`)).body;
        const sold = publisher.dsp_breakdown.map((entry: { spend_cents: number }) => entry.spend_cents);
        expect([sold, dsp.spend_cents], period).to.deep.equal([[GROSS], GROSS]);
        expect(dsp.publisher_breakdown[0], period).to.include({ publisher_id: market.publisherId, spend_cents: GROSS });
      }
    });

    shows(['report.publisher.200', 'report.publisher.fields'], () => {
      const { publisher, month, fill_rate: fillRate, ...figures } = of('report');
      expect(publisher)
        .to.be.a('string')
        .that.matches(/^Name /);
      expect(month).to.match(/^\d{4}-(0[1-9]|1[0-2])$/);
      expect(fillRate).to.equal(Math.round((soldImps() / market.answers.length) * 10_000) / 10_000);
      expect(figures).to.deep.equal({
        publisher_id: market.publisherId,
        period: '7d',
        impressions: 2,
        revenue_cents: NET,
        auctions: market.answers.length,
        avg_cpm: 1140.525092,
      });
    });
    shows(['report.dsp.200', 'report.dsp.fields'], () => {
      const { dsp, month, ...figures } = of('dsp report');
      expect(dsp)
        .to.be.a('string')
        .that.matches(/^Name /);
      expect(month).to.match(/^\d{4}-(0[1-9]|1[0-2])$/);
      expect(figures).to.deep.equal({
        dsp_id: dspId,
        period: '7d',
        spend_cents: GROSS,
        wins: 2,
        avg_cpm: CPM,
      });
    });
    for (const [id, path, key] of [
      ['report.publisher.period', '/api/source/report', () => sellerKey],
      ['report.dsp.period', '/api/demand/report', () => buyerKey],
    ] as const) {
      shows(id, async () => {
        for (const period of ['24h', '7d', '14d', '30d']) {
          expect((await withKey(key(), `${path}?period=${period}`)).body.period).to.equal(period);
        }
        expect((await withKey(key(), path)).body.period).to.equal('7d');
        for (const period of ['1h', 'today', '60d']) {
          const answer = await withKey(key(), `${path}?period=${period}`);
          expect(errorOf(answer), period).to.equal('400 INVALID_PARAMS period');
        }
      });
    }
    shows('limit.report-periods', async () => {
      for (const [path, key] of [
        ['/api/source/report', sellerKey],
        ['/api/demand/report', buyerKey],
      ] as const) {
        const answers = await Promise.all(
          ['24h', '7d', '14d', '30d', '1h', '6h', '31d', ''].map((period) => withKey(key, `${path}?period=${period}`)),
        );
        expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 400, 400, 400, 400]);
      }
    });
    shows('report.own-source', async () => {
      for (const [key, others] of [
        [sellerKey, ['/api/demand/report', '/api/demand/billing', '/api/metrics', '/api/supply/sources']],
        [buyerKey, ['/api/source/report', '/api/source/billing', '/api/metrics', `/api/demand/sources/${dspId}`]],
      ] as const) {
        for (const path of others) expect(errorOf(await withKey(key, path)), path).to.equal('403 FORBIDDEN');
      }
      const idle = await exchange.create('/api/supply/sources', { domain: 'idle.example', type: 'web' });
      const idleKey = await keyOf(`/api/supply/sources/${idle.id}`);
      const { body } = await withKey(idleKey, `/api/source/report?publisher_id=${market.publisherId}`);
      expect(body).to.include({ publisher_id: idle.id, impressions: 0, revenue_cents: 0 });
    });
    shows('report.account-key', async () => {
      for (const path of ['source/report', 'source/billing', 'demand/report', 'demand/billing']) {
        expect(errorOf(await exchange.get(`/api/${path}`)), path).to.equal('403 FORBIDDEN');
      }
    });
    shows('report.csv', async () => {
      for (const [key, path, name] of [
        [sellerKey, '/api/source/report', 'report'],
        [buyerKey, '/api/demand/report', 'dsp report'],
      ] as const) {
        const { headers, body } = await withKey(key, path, { Accept: 'text/csv' });
        expect(headers.get('content-type')).to.match(/^text\/csv/);
        const [heading, row, ...rest] = body.trim().split(/\r?\n/);
        expect(heading.split(',')).to.deep.equal(Object.keys(of(name)));
        expect(row.split(',')).to.deep.equal(Object.values(of(name)).map(String));
        expect(rest).to.deep.equal([]);
      }
      const json = await withKey(sellerKey, '/api/source/report', { Accept: 'application/json' });
      expect(json.headers.get('content-type')).to.match(/^application\/json/);
    });

    shows(['billing.publisher.200', 'billing.publisher.fields', 'billing.publisher.payout'], () => {
      expect(of('billing')).to.have.all.keys('publisher', 'publisher_id', 'month', 'status', 'payout');
      expect(of('billing').publisher_id).to.equal(market.publisherId);
      expect(of('billing').payout).to.deep.equal({
        gross_revenue_cents: 247,
        fee_percent: 15,
        fee_cents: 19,
        net_payout_cents: 228,
        impressions: 2,
        currency: 'USD',
      });
    });
    shows('billing.publisher.net', () => {
      const { gross_revenue_cents: gross, fee_cents: fee, net_payout_cents: net } = of('billing').payout;
      expect(gross - fee).to.equal(net);
    });
    shows(['billing.dsp.200', 'billing.dsp.fields', 'billing.dsp.invoice'], () => {
      expect(of('dsp billing')).to.have.all.keys('dsp', 'dsp_id', 'month', 'status', 'invoice');
      expect(of('dsp billing').dsp_id).to.equal(dspId);
      expect(of('dsp billing').invoice).to.deep.equal({
        spend_cents: 247,
        fee_percent: 5,
        fee_cents: 12,
        total_due_cents: 259,
        wins: 2,
        currency: 'USD',
      });
    });
    shows('billing.dsp.total', () => {
      const { spend_cents: spend, fee_cents: fee, total_due_cents: total } = of('dsp billing').invoice;
      expect(spend + fee).to.equal(total);
    });
    for (const [id, path, key] of [
      ['billing.publisher.month', '/api/source/billing', () => sellerKey],
      ['billing.dsp.month', '/api/demand/billing', () => buyerKey],
    ] as const) {
      shows(id, async () => {
        const current = new Date().toISOString().slice(0, 7);
        expect((await withKey(key(), path)).body.month).to.equal(current);
        expect((await withKey(key(), `${path}?month=2025-02`)).body.month).to.equal('2025-02');
        for (const month of ['2025-13', '2025-1', 'last', '', '9999-01']) {
          const answer = await withKey(key(), `${path}?month=${month}`);
          expect(errorOf(answer), month).to.equal('400 INVALID_PARAMS month');
        }
      });
    }
    shows(['billing.status', 'state.billing.in_progress', 'state.billing.finalized'], async () => {
      expect([of('billing').status, of('dsp billing').status]).to.deep.equal(['in_progress', 'in_progress']);
      expect((await withKey(sellerKey, '/api/source/billing?month=2025-02')).body.status).to.equal('finalized');
      expect((await withKey(buyerKey, '/api/demand/billing?month=2025-02')).body.status).to.equal('finalized');
    });
    shows('money.statements-integer', () => {
      // Rounded by themselves, 247 − 18 would not be 228: the fee is what lies between.
      expect(of('billing').payout).to.include({ gross_revenue_cents: 247, fee_cents: 19, net_payout_cents: 228 });
      for (const cents of Object.entries({ ...of('billing').payout, ...of('dsp billing').invoice })) {
        if (cents[0].endsWith('_cents')) expect(cents[1], cents[0]).to.satisfy(Number.isInteger);
      }
    });
  },
  { pairs: PROVIDER_PAIRS },
);
