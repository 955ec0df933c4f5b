import { expect } from 'chai';
import { PROVIDER_PAIRS } from '../support/exchange.ts';
import { ABSENT_ID, againstExchange, errorOf, UUID } from './against-exchange.ts';
import { shows } from './shows.ts';

const path = '/api/supply/pools';
const source = { domain: 'site.example', type: 'web' };

againstExchange(
  'pools',
  (exchange) => {
    const listed = async (id: string) => {
      const { body } = await exchange.get(path);
      return body.pools.find((pool: { id: string }) => pool.id === id);
    };
    const assign = (poolId: string, publisherId?: string) =>
      exchange.call('PUT', `${path}/${poolId}/assign`, { publisher_id: publisherId });

    describe('fields', () => {
      const fields: Readonly<Record<string, (value: unknown) => boolean>> = {
        id: (value) => UUID.test(String(value)),
        name: (value) => value === 'Premium',
        description: (value) => value === 'The best of it.',
        publisher_count: (value) => value === 2,
        dsp_count: (value) => value === 1,
        floor_price_cpm: (value) => value === 0.75,
      };
      let id: string;
      before(async () => {
        const terms = { name: 'Premium', description: 'The best of it.', floor_price_cpm: 0.75 };
        id = (await exchange.create(path, terms)).id;
        for (let count = 0; count < 2; count++)
          await exchange.create('/api/supply/sources', { ...source, pool_id: id });
        const dsp = await exchange.create('/api/demand/sources', { mode: 'delegate' });
        await exchange.call('POST', `/api/demand/sources/${dsp.id}/pools/${id}`);
      });
      for (const [field, holds] of Object.entries(fields)) {
        shows(`pool.field.${field}`, async () =>
          expect(await listed(id))
            .to.have.property(field)
            .that.satisfies(holds),
        );
      }
    });

    shows('pool.archived-not-counted', async () => {
      const { id } = await exchange.create(path, {});
      const publisher = await exchange.create('/api/supply/sources', { ...source, pool_id: id });
      const dsp = await exchange.create('/api/demand/sources', { mode: 'delegate' });
      await exchange.call('POST', `/api/demand/sources/${dsp.id}/pools/${id}`);
      expect(await listed(id)).to.include({ publisher_count: 1, dsp_count: 1 });
      await exchange.call('DELETE', `/api/supply/sources/${publisher.id}`);
      await exchange.call('DELETE', `/api/demand/sources/${dsp.id}`);
      expect(await listed(id)).to.include({ publisher_count: 0, dsp_count: 0 });
    });

    shows('pool.list', async () => {
      const { id } = await exchange.create(path, {});
      const { status, body } = await exchange.get(path);
      expect(status).to.equal(200);
      expect(body).to.have.all.keys('pools');
      const members = ['id', 'name', 'description', 'publisher_count', 'dsp_count', 'floor_price_cpm'];
      expect(body.pools.find((pool: { id: string }) => pool.id === id)).to.include.all.keys(members);
    });

    shows('pool.create.201', async () => {
      const terms = { name: 'Sports', description: 'Live.', floor_price_cpm: 1.5 };
      const answer = await exchange.call('POST', path, terms);
      expect(answer.status).to.equal(201);
      expect(answer.body).to.include({ ...terms, publisher_count: 0, dsp_count: 0 });
    });
    shows('pool.create.name-required', async () => {
      expect(errorOf(await exchange.call('POST', path, {}))).to.equal('400 INVALID_PARAMS name');
    });
    shows('pool.create.409', async () => {
      const { name } = await exchange.create(path, {});
      expect(errorOf(await exchange.call('POST', path, { name }))).to.equal('409 CONFLICT');
    });

    shows('pool.assign.200', async () => {
      const { id } = await exchange.create(path, {});
      const publisher = await exchange.create('/api/supply/sources', source);
      const answer = await assign(id, publisher.id);
      expect(answer.status).to.equal(200);
      expect(answer.body).to.include({ id: publisher.id, name: publisher.name, pool_id: id });
    });
    shows(['pool.assign.replaces', 'pool.one-per-source'], async () => {
      const [first, second] = [await exchange.create(path, {}), await exchange.create(path, {})];
      const publisher = await exchange.create('/api/supply/sources', { ...source, pool_id: first.id });
      expect((await assign(second.id, publisher.id)).body.pool_id).to.equal(second.id);
      expect((await exchange.get(`/api/supply/sources/${publisher.id}`)).body.pool_id).to.equal(second.id);
      expect((await listed(first.id)).publisher_count).to.equal(0);
      expect((await listed(second.id)).publisher_count).to.equal(1);
    });
    shows('pool.assign.publisher-required', async () => {
      const { id } = await exchange.create(path, {});
      expect(errorOf(await assign(id))).to.equal('400 INVALID_PARAMS publisher_id');
    });
    shows('pool.assign.404', async () => {
      const { id } = await exchange.create(path, {});
      const publisher = await exchange.create('/api/supply/sources', source);
      expect(errorOf(await assign(ABSENT_ID, publisher.id))).to.equal('404 NOT_FOUND');
      expect(errorOf(await assign('none', publisher.id))).to.equal('404 NOT_FOUND');
      expect(errorOf(await assign(id, ABSENT_ID))).to.equal('404 NOT_FOUND');
    });
  },
  { pairs: PROVIDER_PAIRS },
);
