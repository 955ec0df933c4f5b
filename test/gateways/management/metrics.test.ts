import { expect } from 'chai';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { bookLedgers } from './book-ledgers.ts';
import { errorOf } from './management-client.ts';
import { type AccountClients, type RunningManagement, startManagement } from './running-management.ts';

const absentId = 'ffffffff-ffff-4fff-8fff-ffffffffffff';

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/metrics on ${pair}`, () => {
    let running: RunningManagement;
    let own: AccountClients;
    let publisher: string;
    let second: string;
    let sandboxPublisher: string;
    let dsp: string;
    let pool: string;

    const made = async (path: string, body: object) => {
      const answer = await own.api.post(path, body);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer.body.id as string;
    };

    before(async function () {
      running = await startManagement(this, pair);
      own = await running.newAccount();
      pool = await made('/api/supply/pools', { name: 'Pool' });
      const source = { domain: 'd.example', type: 'web', pool_id: pool };
      publisher = await made('/api/supply/sources', { ...source, name: 'First' });
      second = await made('/api/supply/sources', { ...source, name: 'Second' });
      sandboxPublisher = await made('/api/supply/sources', { ...source, name: 'Rehearsal', sandbox: true });
      dsp = await made('/api/demand/sources', { name: 'Buyer', mode: 'delegate' });
      await bookLedgers(running, [
        { scope: 'publisher', id: publisher, counterparty: dsp },
        { scope: 'publisher', id: second, counterparty: dsp },
        { scope: 'publisher', id: sandboxPublisher, counterparty: dsp, sandbox: true },
        { scope: 'dsp', id: dsp, counterparty: publisher },
      ]);
    });
    after(() => running?.close());

    const supply = { impressions: 1000, fill_rate: 0.25, revenue_cents: 200, ecpm_cents: 200, bid_requests: 2000 };

    it('of a supply source are its payout', async () => {
      const answer = await own.api.get(`/api/supply/sources/${publisher}/stats?period=1h`);
      expect(answer.status).to.equal(200);
      expect(answer.body).to.include({ publisher_id: publisher, period: '1h', ...supply });
      expect(answer.body).to.include.all.keys('p50_ms', 'p95_ms', 'p99_ms');
    });

    it('default to 24h', async () => {
      const { body } = await own.api.get(`/api/supply/sources/${publisher}/stats`);
      expect(body).to.include({ period: '24h', ...supply });
    });

    it('of a publisher break down by DSP at gross', async () => {
      const { body } = await own.api.get(`/api/metrics/publisher/${publisher}`);
      expect(body).to.deep.include({ publisher_id: publisher, publisher_name: 'First', ...supply });
      expect(body.dsp_breakdown).to.deep.equal([
        { dsp_id: dsp, dsp_name: 'Buyer', wins: 1200, spend_cents: 250, avg_cpm_cents: 250 },
      ]);
    });

    it('of a DSP are its spend, and break down by publisher', async () => {
      const { body } = await own.api.get(`/api/metrics/dsp/${dsp}`);
      expect(body).to.deep.include({
        dsp_id: dsp,
        dsp_name: 'Buyer',
        bid_requests: 2000,
        bids: 1500,
        wins: 1200,
        impressions: 1000,
        win_rate: 0.8,
        spend_cents: 250,
        avg_cpm_cents: 250,
      });
      expect(body.publisher_breakdown).to.deep.equal([
        { publisher_id: publisher, publisher_name: 'First', wins: 1200, spend_cents: 250 },
      ]);
      const stats = await own.api.get(`/api/demand/sources/${dsp}/stats`);
      expect(stats.body).to.include({ dsp_id: dsp, spend_cents: 250, timeout_rate: 0.25 });
    });

    it('of a DSP break down by creative', async () => {
      const { body } = await own.api.get(`/api/demand/sources/${dsp}/stats?breakdown=creative`);
      expect(body).to.deep.equal({
        dsp_id: dsp,
        period: '24h',
        creatives: [{ creative_id: 'cr1', bids: 1500, wins: 1200, win_rate: 0.8, impressions: 1000, ecpm_cents: 250 }],
      });
    });

    it('of a pool are the sum over its sources of the context', async () => {
      const path = `/api/supply/pools/${pool}/stats`;
      const live = await own.api.get(path);
      expect(live.body).to.include({
        pool_id: pool,
        impressions: 2000,
        revenue_cents: 400,
        ecpm_cents: 200,
        fill_rate: 0.25,
      });
      const sandbox = await own.sandboxApi.get(path);
      expect(sandbox.body).to.include({ impressions: 1000, revenue_cents: 200 });
    });

    it('of a source in the sandbox are its live ones, none, unless the sandbox is asked for', async () => {
      const path = `/api/metrics/publisher/${sandboxPublisher}`;
      expect((await own.api.get(path)).body).to.include({ impressions: 0, revenue_cents: 0 });
      expect((await own.api.get(`${path}?sandbox=false`)).body).to.include({ impressions: 0 });
      expect((await own.api.get(`${path}?sandbox=true`)).body).to.include({ impressions: 1000, revenue_cents: 200 });
      expect((await own.api.get(path, { 'X-Sandbox': 'true' })).body).to.include({ impressions: 1000 });
    });

    it('of the account are the sum over its sources, live or sandbox', async () => {
      const live = await own.api.get('/api/metrics');
      expect(live.body).to.include({
        period: '24h',
        auctions: 4000,
        impressions: 2000,
        fill_rate: 0.25,
        revenue_cents: 400,
        bid_requests_sent: 2000,
      });
      expect(live.body.regions).to.have.all.keys('fra');
      const sandbox = await own.api.get('/api/metrics?sandbox=true');
      expect(sandbox.body).to.include({ auctions: 2000, impressions: 1000, bid_requests_sent: 0 });
    });

    it('contain nothing of other accounts', async () => {
      const other = await running.newAccount();
      expect((await other.api.get('/api/metrics')).body).to.include({ auctions: 0, impressions: 0, revenue_cents: 0 });
      for (const path of [
        `/api/metrics/publisher/${publisher}`,
        `/api/metrics/dsp/${dsp}`,
        `/api/supply/sources/${publisher}/stats`,
        `/api/supply/pools/${pool}/stats`,
        `/api/demand/sources/${dsp}/stats`,
      ]) {
        expect(errorOf(await other.api.get(path)), path).to.equal('404 NOT_FOUND');
        expect(errorOf(await own.api.get(path.replace(/[0-9a-f-]{36}/, absentId))), path).to.equal('404 NOT_FOUND');
      }
    });

    it('narrow to a region', async () => {
      const { body } = await own.api.get(`/api/supply/sources/${publisher}/stats?region=lon`);
      expect(body).to.include({ impressions: 0, revenue_cents: 0, fill_rate: 0 });
      expect((await own.api.get('/api/metrics?region=fra')).body).to.include({ impressions: 2000 });
    });

    it('are a time series with breakdown=time: hours or days that add up', async () => {
      const hours = await own.api.get('/api/metrics?breakdown=time');
      expect(hours.body).to.have.all.keys('period', 'buckets');
      expect(hours.body.buckets).to.have.length(25);
      const days = await own.api.get(`/api/metrics/dsp/${dsp}?period=7d&breakdown=time`);
      expect(days.body.buckets).to.have.length(8);
      const sumOf = (buckets: { revenue_cents: number }[]) => buckets.reduce((sum, one) => sum + one.revenue_cents, 0);
      expect([sumOf(hours.body.buckets), sumOf(days.body.buckets)]).to.deep.equal([400, 250]);
    });

    it('refuse unknown parameters values', async () => {
      for (const [query, field] of [
        ['period=14d', 'period'],
        ['period=', 'period'],
        ['region=par', 'region'],
        ['breakdown=creative', 'breakdown'],
        ['sandbox=1', 'sandbox'],
      ]) {
        expect(errorOf(await own.api.get(`/api/metrics?${query}`)), query).to.equal(`400 INVALID_PARAMS ${field}`);
      }
    });

    it('of an account hold what archived sources traded, and what others did where they were', async () => {
      const account = await running.newAccount();
      const create = async (path: string, body: object): Promise<string> => {
        const answer = await account.api.post(path, body);
        expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
        return answer.body.id;
      };
      const source = { domain: 'd.example', type: 'web' };
      const archived = await create('/api/supply/sources', { ...source, name: 'Archived' });
      const moved = await create('/api/supply/sources', { ...source, name: 'Moved', sandbox: true });
      const buyer = await create('/api/demand/sources', { name: 'Buyer', mode: 'delegate' });
      await bookLedgers(running, [
        { scope: 'publisher', id: archived, counterparty: buyer },
        { scope: 'publisher', id: moved, counterparty: buyer, sandbox: true },
        { scope: 'dsp', id: buyer, counterparty: archived },
      ]);
      for (const id of [archived, buyer]) {
        const path = id === buyer ? `/api/demand/sources/${id}` : `/api/supply/sources/${id}`;
        expect((await account.api.delete(path)).status).to.equal(200);
      }
      expect((await account.api.put(`/api/supply/sources/${moved}`, { sandbox: false })).status).to.equal(200);

      const figures = async (client = account.api) => {
        const { body } = await client.get('/api/metrics');
        return [body.auctions, body.impressions, body.revenue_cents, body.bid_requests_sent];
      };
      const live = [2000, 1000, 200, 2000];
      expect(await figures()).to.deep.equal(live);
      expect((await account.api.get(`/api/supply/sources/${archived}/stats`)).body).to.include(supply);
      expect((await account.api.get(`/api/metrics/dsp/${buyer}`)).body.spend_cents).to.equal(250);
      const { body: report } = await account.api.get(`/api/partner/report?publisher_id=${archived}&period=7d`);
      expect(report.days.at(-1)).to.include({ auctions: 2000, impressions: 1000, revenue_cents: 200 });

      expect(await figures(account.sandboxApi)).to.deep.equal([2000, 1000, 200, 0]);
      expect((await account.api.get(`/api/supply/sources/${moved}/stats`)).body.impressions).to.equal(0);
      const resets = [1, 2].map(() => account.sandboxApi.post('/api/sandbox/reset'));
      for (const { status } of await Promise.all(resets)) expect(status).to.equal(200);
      expect(await figures(account.sandboxApi)).to.deep.equal([0, 0, 0, 0]);
      expect(await figures()).to.deep.equal(live);
      // What is told of the time before the resets comes too late to be seen.
      await bookLedgers(running, [{ scope: 'publisher', id: moved, counterparty: buyer, sandbox: true }]);
      expect(await figures(account.sandboxApi)).to.deep.equal([0, 0, 0, 0]);
      const { body } = await account.api.get(`/api/supply/sources/${moved}`);
      expect([body.status, body.sandbox]).to.deep.equal(['active', false]);
    });
  });
