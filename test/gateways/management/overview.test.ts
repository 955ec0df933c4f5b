import { expect } from 'chai';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { type RunningManagement, startManagement } from './running-management.ts';

interface Matter {
  readonly kind: string;
  readonly severity: string;
  readonly subject: { readonly type: string; readonly id: string; readonly name: string } | null;
}

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management: what a dashboard begins with, on ${pair}`, () => {
    let running: RunningManagement;

    before(async function () {
      running = await startManagement(this, pair, { settings: { given: new Set(['REGION']) } });
    });

    after(() => running?.close());

    const matters = async (api = running.api): Promise<Matter[]> => {
      const { status, body } = await api.get('/api/attention');
      expect(status).to.equal(200);
      return body.matters;
    };

    it('tells every caller where the parts of the exchange are', async () => {
      const { status, body } = await running.anonymous.get('/api/exchange');
      expect(status).to.equal(200);
      expect(body).to.include({ edge_url: 'http://localhost:8081', region: 'fra' });
      expect(body.metrics_url).to.match(/^ws:.*\/ws\/metrics$/);
    });

    it('lists the regions to every caller', async () => {
      const { status, body, headers } = await running.anonymous.get('/api/regions');
      expect(status).to.equal(200);
      expect(body).to.deep.equal({
        region: 'fra',
        regions: [{ code: 'fra', url: 'http://localhost:8081', ping_url: 'http://localhost:8081/ping' }],
      });
      expect(headers.get('cache-control')).to.equal('public, max-age=60');
    });

    it('shows its settings to operators alone, and no secret', async () => {
      const operator = await running.newUser(running.accountId, 'operator');
      const member = await running.newUser(running.accountId);
      const { status, body } = await operator.api.get('/api/exchange/settings');
      expect(status).to.equal(200);
      expect(body.settings.map(({ name }: { name: string }) => name)).to.include.members(['CORS_ORIGINS', 'DASHBOARD']);
      expect(JSON.stringify(body)).not.to.match(/SECRET_KEY|PASSWORD|REDIS|MONGO/);
      const isDefault = (name: string) =>
        body.settings.find((one: { name: string }) => one.name === name)?.is_default as boolean | undefined;
      expect([isDefault('REGION'), isDefault('DASHBOARD')]).to.deep.equal([false, true]);
      expect((await member.api.get('/api/exchange/settings')).status).to.equal(403);
    });

    it('has nothing but zeros and what is there, before anything was sold', async () => {
      const own = await running.newAccount();
      await own.api.post('/api/supply/sources', { name: 'Home page', domain: 'news.example', type: 'web' });
      const { status, body } = await own.api.get('/api/overview');
      expect(status).to.equal(200);
      expect(body.today).to.include({
        requests: 0,
        auctions: 0,
        filled: 0,
        rendered: 0,
        revenue_cents: 0,
        gross_cents: 0,
      });
      expect(body.counts).to.deep.equal({ publishers: 1, pools: 0, demand_sources: 0, campaigns: 0 });
      expect(body.month.from).to.match(/-01T00:00:00\.000Z$/);
    });

    it('names a publisher without a pool, and a pool without a buyer, until there is one', async () => {
      const { api } = await running.newAccount();
      const made = await api.post('/api/supply/sources', { name: 'Home page', domain: 'news.example', type: 'web' });
      const [first] = await matters(api);
      expect(first).to.deep.include({
        kind: 'publisher-without-pool',
        severity: 'warning',
        subject: { type: 'publisher', id: made.body.id, name: 'Home page' },
      });
      const pool = await api.post('/api/supply/pools', { name: 'News' });
      await api.put(`/api/supply/pools/${pool.body.id}/assign`, { publisher_id: made.body.id });
      expect((await matters(api)).map(({ kind }) => kind)).to.deep.equal(['pool-without-demand']);
      const dsp = await api.post('/api/demand/sources', { name: 'Buyer', mode: 'delegate' });
      await api.post(`/api/demand/sources/${dsp.body.id}/pools/${pool.body.id}`, {});
      expect(await matters(api)).to.deep.equal([]);
    });

    it('finds sources and campaigns by a part of their names, whatever stands in it', async () => {
      const { api } = await running.newAccount();
      for (const name of ['Morning News', 'Evening news', 'Sport (a+b)']) {
        await api.post('/api/supply/sources', { name, domain: 'news.example', type: 'web' });
        await api.post('/api/demand/sources', { name, mode: 'delegate' });
      }
      for (const [list, member] of [
        ['/api/supply/sources', 'publishers'],
        ['/api/demand/sources', 'dsps'],
      ] as const) {
        const found = async (q: string) => {
          const { status, body } = await api.get(`${list}?q=${encodeURIComponent(q)}&sort=name`);
          expect(status).to.equal(200);
          expect(body.total).to.equal(body[member].length);
          return body[member].map(({ name }: { name: string }) => name);
        };
        expect(await found('NEWS')).to.deep.equal(['Evening news', 'Morning News']);
        expect(await found('(A+B')).to.deep.equal(['Sport (a+b)']);
        expect(await found('.*')).to.deep.equal([]);
      }
      expect((await api.get(`/api/supply/sources?q=${'a'.repeat(101)}`)).status).to.equal(400);
    });

    it('finds publishers by their type and their pool', async () => {
      const { api } = await running.newAccount();
      const pool = await api.post('/api/supply/pools', { name: 'Television' });
      await api.post('/api/supply/sources', { name: 'A', domain: 'a.example', type: 'ctv', pool_id: pool.body.id });
      await api.post('/api/supply/sources', { name: 'B', domain: 'b.example', type: 'web' });
      const names = async (query: string) =>
        (await api.get(`/api/supply/sources?${query}`)).body.publishers.map(({ name }: { name: string }) => name);
      expect(await names('type=ctv')).to.deep.equal(['A']);
      expect(await names(`pool_id=${pool.body.id}`)).to.deep.equal(['A']);
      expect(await names('pool_id=none')).to.deep.equal(['B']);
      expect((await api.get('/api/supply/sources?pool_id=any')).status).to.equal(400);
    });

    it('finds demand sources by the pool that they buy from', async () => {
      const { api } = await running.newAccount();
      const pool = await api.post('/api/supply/pools', { name: 'Television' });
      await api.post('/api/demand/sources', { name: 'Elsewhere', mode: 'delegate' });
      const buyer = await api.post('/api/demand/sources', { name: 'Buyer', mode: 'delegate' });
      await api.post(`/api/demand/sources/${buyer.body.id}/pools/${pool.body.id}`, {});
      const { body } = await api.get(`/api/demand/sources?pool_id=${pool.body.id}`);
      expect(body.dsps.map(({ name }: { name: string }) => name)).to.deep.equal(['Buyer']);
      expect((await api.get('/api/demand/sources?pool_id=none')).status).to.equal(400);
    });
  });
