import { expect } from 'chai';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { errorOf, type ManagementClient } from './management-client.ts';
import { type AccountClients, type RunningManagement, startManagement } from './running-management.ts';

const absentId = 'ffffffff-ffff-4fff-8fff-ffffffffffff';

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/pools on ${pair}`, () => {
    let running: RunningManagement;
    let own: AccountClients;
    let names = 0;

    before(async function () {
      running = await startManagement(this, pair);
    });
    after(() => running?.close());
    beforeEach(async () => {
      own = await running.newAccount();
    });

    const made = async (path: string, body: object, client: ManagementClient = own.api) => {
      const answer = await client.post(path, { name: `Name ${++names}`, ...body });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer.body;
    };
    const newPool = (body: object = {}, client?: ManagementClient) => made('/api/supply/pools', body, client);
    const newSource = (body: object = {}, client?: ManagementClient) =>
      made('/api/supply/sources', { domain: 'd.example', type: 'web', ...body }, client);
    const newDsp = (body: object = {}, client?: ManagementClient) =>
      made('/api/demand/sources', { mode: 'delegate', ...body }, client);
    const countsOf = async (id: string, client = own.api) => {
      const { body } = await client.get('/api/supply/pools');
      const found = body.pools.find((pool: { id: string }) => pool.id === id);
      expect((await client.get(`/api/supply/pools/${id}`)).body).to.deep.equal(found);
      return [found.publisher_count, found.dsp_count];
    };

    it('are created with 201, and listed', async () => {
      const created = await newPool({ name: 'CTV', description: 'All of it', floor_price_cpm: 2.5 });
      expect(created).to.deep.equal({
        id: created.id,
        name: 'CTV',
        description: 'All of it',
        floor_price_cpm: 2.5,
        require_verified: false,
        publisher_count: 0,
        dsp_count: 0,
      });
      expect((await own.api.get('/api/supply/pools')).body).to.deep.equal({ pools: [created] });
    });

    it('need a name, of their own', async () => {
      expect(errorOf(await own.api.post('/api/supply/pools', {}))).to.equal('400 INVALID_PARAMS name');
      await newPool({ name: 'CTV' });
      expect(errorOf(await own.api.post('/api/supply/pools', { name: 'ctv' }))).to.equal('409 CONFLICT');
    });

    it('change by the fields given', async () => {
      const created = await newPool({ description: 'before' });
      const answer = await own.api.put(`/api/supply/pools/${created.id}`, { floor_price_cpm: 1, name: 'Other' });
      expect(answer.body).to.deep.equal({ ...created, floor_price_cpm: 1, name: 'Other' });
    });

    it('are not changed by a sandbox key', async () => {
      const { id } = await newPool();
      const answer = await own.sandboxApi.put(`/api/supply/pools/${id}`, { floor_price_cpm: 9 });
      expect(errorOf(answer)).to.equal('403 FORBIDDEN');
    });

    it('take a source out of the pool it was in', async () => {
      const [one, two] = [await newPool(), await newPool()];
      const source = await newSource({ pool_id: one.id });
      expect([await countsOf(one.id), await countsOf(two.id)]).to.deep.equal([
        [1, 0],
        [0, 0],
      ]);
      const answer = await own.api.put(`/api/supply/pools/${two.id}/assign`, { publisher_id: source.id });
      expect([answer.status, answer.body.id, answer.body.pool_id]).to.deep.equal([200, source.id, two.id]);
      expect([await countsOf(one.id), await countsOf(two.id)]).to.deep.equal([
        [0, 0],
        [1, 0],
      ]);
    });

    it('lose a source that is unassigned or archived', async () => {
      const { id } = await newPool();
      const [left, archived] = [await newSource({ pool_id: id }), await newSource({ pool_id: id })];
      const answer = await own.api.put(`/api/supply/sources/${left.id}`, { pool_id: null });
      expect(answer.body.pool_id).to.equal(null);
      expect(await countsOf(id)).to.deep.equal([1, 0]);
      await own.api.delete(`/api/supply/sources/${archived.id}`);
      expect(await countsOf(id)).to.deep.equal([0, 0]);
      const again = await own.api.put(`/api/supply/pools/${id}/assign`, { publisher_id: archived.id });
      expect(errorOf(again)).to.equal('409 CONFLICT');
    });

    it('count the sources of the context', async () => {
      const { id } = await newPool();
      await newSource({ pool_id: id });
      await newSource({ pool_id: id }, own.sandboxApi);
      const sandboxDsp = await newDsp({}, own.sandboxApi);
      await own.sandboxApi.post(`/api/demand/sources/${sandboxDsp.id}/pools/${id}`);
      expect(await countsOf(id)).to.deep.equal([1, 0]);
      expect(await countsOf(id, own.sandboxApi)).to.deep.equal([1, 1]);
    });

    it('refuse what does not exist', async () => {
      const { id } = await newPool();
      const source = await newSource();
      const assign = (pool: string, body: object) => own.api.put(`/api/supply/pools/${pool}/assign`, body);
      expect(errorOf(await assign(absentId, { publisher_id: source.id }))).to.equal('404 NOT_FOUND');
      expect(errorOf(await assign(id, { publisher_id: absentId }))).to.equal('404 NOT_FOUND');
      expect(errorOf(await assign(id, {}))).to.equal('400 INVALID_PARAMS publisher_id');
      expect(errorOf(await assign(id, { publisher_id: 7 }))).to.equal('400 VALIDATION_ERROR publisher_id');
      const other = await running.newAccount();
      expect(errorOf(await other.api.get(`/api/supply/pools/${id}`))).to.equal('404 NOT_FOUND');
      const foreign = await other.api.put(`/api/supply/pools/${id}/assign`, { publisher_id: source.id });
      expect(errorOf(foreign)).to.equal('404 NOT_FOUND');
    });

    describe('subscriptions', () => {
      it('begin and end, and change nothing when repeated', async () => {
        const { id: poolId, name } = await newPool();
        await newSource({ pool_id: poolId });
        const { id } = await newDsp();
        const path = `/api/demand/sources/${id}/pools`;
        expect((await own.api.get(path)).body).to.deep.equal({ pools: [] });

        for (const _time of ['first', 'again']) {
          const answer = await own.api.post(`${path}/${poolId}`);
          expect([answer.status, answer.body]).to.deep.equal([200, { dsp_id: id, pool_id: poolId, subscribed: true }]);
          expect((await own.api.get(path)).body).to.deep.equal({ pools: [{ id: poolId, name, publisher_count: 1 }] });
          expect(await countsOf(poolId)).to.deep.equal([1, 1]);
        }
        for (const _time of ['first', 'again']) {
          const answer = await own.api.delete(`${path}/${poolId}`);
          expect([answer.status, answer.body.subscribed]).to.deep.equal([200, false]);
          expect((await own.api.get(path)).body).to.deep.equal({ pools: [] });
        }
      });

      it('made at once are all kept', async () => {
        const pools = [await newPool(), await newPool(), await newPool(), await newPool()];
        const { id } = await newDsp();
        await Promise.all(pools.map((pool) => own.api.post(`/api/demand/sources/${id}/pools/${pool.id}`)));
        const { body } = await own.api.get(`/api/demand/sources/${id}/pools`);
        expect(body.pools.map((pool: { id: string }) => pool.id)).to.have.members(pools.map((pool) => pool.id));
      });

      it('of an archived demand source do not count and cannot be made', async () => {
        const [one, two] = [await newPool(), await newPool()];
        const { id } = await newDsp();
        await own.api.post(`/api/demand/sources/${id}/pools/${one.id}`);
        await own.api.delete(`/api/demand/sources/${id}`);
        expect(await countsOf(one.id)).to.deep.equal([0, 0]);
        expect(errorOf(await own.api.post(`/api/demand/sources/${id}/pools/${two.id}`))).to.equal('409 CONFLICT');
      });

      it('need both sides', async () => {
        const { id: poolId } = await newPool();
        const { id } = await newDsp();
        const subscribe = (dsp: string, pool: string) => own.api.post(`/api/demand/sources/${dsp}/pools/${pool}`);
        expect(errorOf(await subscribe(absentId, poolId))).to.equal('404 NOT_FOUND');
        expect(errorOf(await subscribe(id, absentId))).to.equal('404 NOT_FOUND');
        expect(errorOf(await subscribe(id, 'x'))).to.equal('404 NOT_FOUND');
      });
    });
  });
