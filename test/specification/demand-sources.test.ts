import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { PROVIDER_PAIRS } from '../support/exchange.ts';
import { ABSENT_ID, againstExchange, errorOf, TIMESTAMP, UUID } from './against-exchange.ts';
import { shows } from './shows.ts';

const path = '/api/demand/sources';
const endpoint = 'https://bidder.example/openrtb';
const rtb = () => ({ name: `Buyer ${randomUUID()}`, mode: 'rtb', endpoint_url: endpoint });

againstExchange(
  'demand sources',
  (exchange) => {
    const create = (fields: object = {}) => exchange.create(path, { ...rtb(), ...fields });
    const refused = async (fields: object) => errorOf(await exchange.call('POST', path, { ...rtb(), ...fields }));
    const update = (id: string, changes: object) => exchange.call('PUT', `${path}/${id}`, changes);

    describe('fields', () => {
      const fields: Readonly<Record<string, (value: unknown) => boolean>> = {
        id: (value) => UUID.test(String(value)),
        name: (value) => value === 'Big Buyer',
        mode: (value) => value === 'rtb',
        status: (value) => value === 'active',
        endpoint_url: (value) => value === endpoint,
        sandbox: (value) => value === false,
        daily_budget_cents: (value) => value === 500_000,
        timeout_ms: (value) => value === 120,
        created_at: (value) => TIMESTAMP.test(String(value)),
      };
      let created: Record<string, unknown>;
      before(async () => {
        created = await create({ name: 'Big Buyer', daily_budget_cents: 500_000, timeout_ms: 120 });
      });
      for (const [field, holds] of Object.entries(fields)) {
        shows(`demand.field.${field}`, async () => {
          expect(created).to.have.property(field).that.satisfies(holds);
          const read = await exchange.get(`${path}/${created.id}`);
          expect(read.body).to.have.property(field).that.satisfies(holds);
        });
      }
    });

    describe('list', () => {
      let ids: Readonly<Record<'active' | 'sandbox' | 'archived' | 'delegate', string>>;
      before(async () => {
        ids = {
          active: (await create()).id,
          sandbox: (await create({ sandbox: true })).id,
          archived: (await create()).id,
          delegate: (await create({ mode: 'delegate', endpoint_url: null })).id,
        };
        await exchange.call('DELETE', `${path}/${ids.archived}`);
      });
      const listed = async (query: string): Promise<Record<string, string>[]> =>
        (await exchange.get(`${path}${query}`)).body.dsps;

      shows(['demand.list.shape', 'demand.list.item'], async () => {
        const { status, body } = await exchange.get(path);
        expect(status).to.equal(200);
        expect(body).to.have.all.keys('dsps', 'total');
        expect(body.total).to.equal(body.dsps.length);
        const item = 'id name mode status endpoint_url sandbox daily_budget_cents created_at'.split(' ');
        for (const dsp of body.dsps) expect(dsp).to.include.all.keys(item);
      });
      shows('demand.list.whole', async () => {
        // More than a page of the supply list.
        const made = Array.from({ length: 51 }, () => create({ mode: 'delegate', endpoint_url: null }));
        const expected = (await Promise.all(made)).map(({ id }) => id);
        expect((await listed('')).map(({ id }) => id)).to.include.members(expected);
        expect(await listed('?per_page=10&page=2')).to.have.length(10);
      });
      shows(['demand.list.status', 'demand.field.status'], async () => {
        for (const status of ['active', 'sandbox', 'archived'] as const) {
          const found = await listed(`?status=${status}`);
          expect(found.map(({ id }) => id)).to.include(ids[status]);
          expect(new Set(found.map((dsp) => dsp.status))).to.deep.equal(new Set([status]));
        }
        expect(errorOf(await exchange.get(`${path}?status=paused`))).to.equal('400 INVALID_PARAMS status');
      });
      shows('demand.list.mode', async () => {
        for (const [mode, id] of [
          ['rtb', ids.active],
          ['delegate', ids.delegate],
        ] as const) {
          const found = await listed(`?mode=${mode}`);
          expect(found.map((dsp) => dsp.id)).to.include(id);
          expect(new Set(found.map((dsp) => dsp.mode))).to.deep.equal(new Set([mode]));
        }
        expect(errorOf(await exchange.get(`${path}?mode=direct`))).to.equal('400 INVALID_PARAMS mode');
      });
    });

    describe('create', () => {
      shows('demand.create.201', async () => {
        const fields = { ...rtb(), daily_budget_cents: 100, timeout_ms: 150 };
        const answer = await exchange.call('POST', path, fields);
        expect(answer.status).to.equal(201);
        expect(answer.body).to.include(fields);
        expect((await exchange.get(`${path}/${answer.body.id}`)).body).to.deep.equal(answer.body);
      });
      for (const field of ['name', 'mode']) {
        shows(`demand.create.${field}-required`, async () =>
          expect(await refused({ [field]: undefined })).to.equal(`400 INVALID_PARAMS ${field}`),
        );
      }
      shows(['demand.create.mode.rtb', 'demand.field.mode'], async () => expect((await create()).mode).to.equal('rtb'));
      shows(['demand.create.mode.delegate', 'demand.field.mode', 'demand.field.endpoint_url'], async () => {
        const dsp = await create({ mode: 'delegate', endpoint_url: undefined });
        expect(dsp).to.include({ mode: 'delegate', endpoint_url: null });
      });
      shows('demand.create.mode.other', async () =>
        expect(await refused({ mode: 'direct' })).to.equal('400 VALIDATION_ERROR mode'),
      );
      shows('demand.create.endpoint-required', async () => {
        expect(await refused({ endpoint_url: undefined })).to.equal('400 INVALID_PARAMS endpoint_url');
        expect(await refused({ endpoint_url: null })).to.equal('400 INVALID_PARAMS endpoint_url');
      });
      shows('demand.create.endpoint-malformed', async () => {
        for (const url of ['bidder.example', 'ftp://bidder.example/', 'https://']) {
          expect(await refused({ endpoint_url: url }), url).to.equal('400 VALIDATION_ERROR endpoint_url');
        }
      });
      shows(['demand.create.timeout-max', 'demand.field.timeout_ms'], async () => {
        for (const timeout of [151, 99.5, '100']) {
          expect(await refused({ timeout_ms: timeout })).to.equal('400 VALIDATION_ERROR timeout_ms');
        }
        expect((await create({ timeout_ms: 150 })).timeout_ms).to.equal(150);
      });
      shows('demand.create.budget-default', async () => expect((await create()).daily_budget_cents).to.equal(0));
      shows(['demand.create.budget-integer', 'demand.field.daily_budget_cents'], async () => {
        for (const budget of [-1, 0.5, '100']) {
          expect(await refused({ daily_budget_cents: budget })).to.equal('400 VALIDATION_ERROR daily_budget_cents');
        }
      });
      shows(['demand.create.sandbox', 'demand.field.sandbox'], async () => {
        expect(await create({ sandbox: true })).to.include({ sandbox: true, status: 'sandbox' });
        expect(await create()).to.include({ sandbox: false, status: 'active' });
      });
      shows('demand.create.409', async () => {
        const { name } = await create();
        expect(await refused({ name })).to.equal('409 CONFLICT');
      });
    });

    describe('read and update', () => {
      shows('demand.read.200', async () => {
        const created = await create();
        const answer = await exchange.get(`${path}/${created.id}`);
        expect(answer.status).to.equal(200);
        expect(answer.body).to.deep.equal(created);
      });
      shows('demand.read.404', async () => {
        for (const id of [ABSENT_ID, 'none']) {
          expect(errorOf(await exchange.get(`${path}/${id}`)), id).to.equal('404 NOT_FOUND');
        }
      });
      shows(['demand.update.200', 'demand.update.partial'], async () => {
        const { updated_at: _, ...created } = await create({ timeout_ms: 100, daily_budget_cents: 7 });
        const answer = await update(created.id, { timeout_ms: 90 });
        expect(answer.status).to.equal(200);
        expect(answer.body).to.deep.include({ ...created, timeout_ms: 90 });
        expect((await exchange.get(`${path}/${created.id}`)).body).to.deep.equal(answer.body);
      });
      const values = {
        name: () => `Renamed ${randomUUID()}`,
        endpoint_url: () => 'https://other.example/bid',
        daily_budget_cents: () => 12_345,
        timeout_ms: () => 75,
      };
      for (const [field, value] of Object.entries(values)) {
        shows(`demand.update.${field}`, async () => {
          const { id } = await create();
          const wanted = value();
          expect((await update(id, { [field]: wanted })).body[field]).to.equal(wanted);
          expect((await exchange.get(`${path}/${id}`)).body[field]).to.equal(wanted);
        });
      }
      shows('demand.update.mode', async () => {
        const { id } = await create();
        expect((await update(id, { mode: 'delegate' })).body).to.include({ mode: 'delegate', endpoint_url: null });
        expect(errorOf(await update(id, { mode: 'rtb' }))).to.equal('400 INVALID_PARAMS endpoint_url');
      });
      shows('demand.update.sandbox', async () => {
        const { id } = await create({ sandbox: true });
        expect((await update(id, { sandbox: false })).body).to.include({ sandbox: false, status: 'active' });
      });
      shows('demand.update.archived', async () => {
        const { id } = await create();
        await exchange.call('DELETE', `${path}/${id}`);
        expect(errorOf(await update(id, { timeout_ms: 100 }))).to.equal('409 CONFLICT');
      });
    });

    describe('subscriptions', () => {
      const pools = async (id: string) => (await exchange.get(`${path}/${id}/pools`)).body.pools;

      shows(
        ['demand.pools.list', 'demand.pools.subscribe', 'demand.pools.subscribe-again', 'demand.pools.unsubscribe'],
        async () => {
          const pool = await exchange.create('/api/supply/pools', {});
          await exchange.create('/api/supply/sources', { domain: 'd.example', type: 'web', pool_id: pool.id });
          const { id } = await create();
          expect(await pools(id)).to.deep.equal([]);
          for (const time of ['once', 'twice']) {
            expect((await exchange.call('POST', `${path}/${id}/pools/${pool.id}`)).status, time).to.equal(200);
            expect(await pools(id)).to.deep.equal([{ id: pool.id, name: pool.name, publisher_count: 1 }]);
          }
          expect((await exchange.call('DELETE', `${path}/${id}/pools/${pool.id}`)).status).to.equal(200);
          expect(await pools(id)).to.deep.equal([]);
        },
      );
      shows('demand.pools.404', async () => {
        const [pool, dsp] = [await exchange.create('/api/supply/pools', {}), await create()];
        for (const method of ['POST', 'DELETE']) {
          for (const wrong of [`${ABSENT_ID}/pools/${pool.id}`, `${dsp.id}/pools/${ABSENT_ID}`]) {
            expect(errorOf(await exchange.call(method, `${path}/${wrong}`))).to.equal('404 NOT_FOUND');
          }
        }
      });
    });
  },
  { pairs: PROVIDER_PAIRS },
);
