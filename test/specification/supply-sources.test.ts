import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { PROVIDER_PAIRS } from '../support/exchange.ts';
import { ABSENT_ID, againstExchange, errorOf, TIMESTAMP, UUID } from './against-exchange.ts';
import { shows } from './shows.ts';

const path = '/api/supply/sources';
const valid = () => ({ name: `Source ${randomUUID()}`, domain: 'site.example', type: 'web' });

againstExchange(
  'supply sources',
  (exchange) => {
    const create = (fields: object = {}, headers?: Record<string, string>) =>
      exchange.create(path, { ...valid(), ...fields }, headers);

    describe('fields', () => {
      const fields: Readonly<Record<string, (value: unknown) => boolean>> = {
        id: (value) => UUID.test(String(value)),
        name: (value) => value === 'The News',
        domain: (value) => value === 'com.example.news',
        type: (value) => value === 'mobile',
        status: (value) => value === 'sandbox',
        sandbox: (value) => value === true,
        pool_id: (value) => UUID.test(String(value)),
        floor_price_cpm: (value) => value === 1.25,
        content_genre: (value) => value === 'drama',
        created_at: (value) => TIMESTAMP.test(String(value)),
      };
      let created: Record<string, unknown>;
      before(async () => {
        const pool = await exchange.create('/api/supply/pools', {});
        created = await create({
          name: 'The News',
          domain: 'com.example.news',
          type: 'mobile',
          floor_price_cpm: 1.25,
          sandbox: true,
          content_genre: 'drama',
          pool_id: pool.id,
        });
      });
      for (const [field, holds] of Object.entries(fields)) {
        shows(`supply.field.${field}`, async () => {
          expect(created).to.have.property(field).that.satisfies(holds);
          const read = await exchange.get(`${path}/${created.id}`, { 'X-Sandbox': 'true' });
          expect(read.body).to.have.property(field).that.satisfies(holds);
        });
      }
      shows('supply.create.optional', () => {
        expect(created).to.include({ floor_price_cpm: 1.25, sandbox: true, content_genre: 'drama' });
        expect(created.pool_id).to.match(UUID);
      });
    });

    describe('create', () => {
      shows(['supply.create.201', 'supply.field.domain'], async () => {
        const body = valid();
        const answer = await exchange.call('POST', path, body);
        expect(answer.status).to.equal(201);
        expect(answer.body).to.include(body);
        expect((await exchange.get(`${path}/${answer.body.id}`)).body).to.deep.equal(answer.body);
      });
      for (const field of ['name', 'domain', 'type']) {
        shows(`supply.create.${field}-required`, async () => {
          const answer = await exchange.call('POST', path, { ...valid(), [field]: undefined });
          expect(errorOf(answer)).to.equal(`400 INVALID_PARAMS ${field}`);
        });
      }
      for (const type of ['ctv', 'mobile', 'web']) {
        shows([`supply.create.type.${type}`, 'supply.field.type'], async () =>
          expect((await create({ type })).type).to.equal(type),
        );
      }
      shows('supply.create.type.other', async () => {
        const answer = await exchange.call('POST', path, { ...valid(), type: 'radio' });
        expect(errorOf(answer)).to.equal('400 VALIDATION_ERROR type');
      });
      shows('supply.create.floor-default', async () => expect((await create()).floor_price_cpm).to.equal(0));
      shows('supply.create.floor-negative', async () => {
        const answer = await exchange.call('POST', path, { ...valid(), floor_price_cpm: -0.01 });
        expect(errorOf(answer)).to.equal('400 VALIDATION_ERROR floor_price_cpm');
      });
      shows(['supply.create.sandbox', 'supply.field.sandbox'], async () => {
        expect(await create({ sandbox: true })).to.include({ sandbox: true, status: 'sandbox' });
        expect(await create({ sandbox: false })).to.include({ sandbox: false, status: 'active' });
        expect(await create()).to.include({ sandbox: false, status: 'active' });
      });
      shows('supply.create.pool-unknown', async () => {
        const answer = await exchange.call('POST', path, { ...valid(), pool_id: ABSENT_ID });
        expect(errorOf(answer)).to.equal('400 VALIDATION_ERROR pool_id');
      });
      shows('supply.blocks', async () => {
        const blocks = { blocked_categories: ['IAB25', 'IAB7-39'], blocked_domains: ['bad.example'] };
        const created = await create(blocks);
        expect(created).to.deep.include(blocks);
        const others = { blocked_categories: ['IAB26'], blocked_domains: [] };
        const { body } = await exchange.call('PUT', `${path}/${created.id}`, others);
        expect(body).to.deep.include(others);
        expect((await exchange.get(`${path}/${created.id}`)).body).to.deep.include(others);
      });
      shows('supply.create.409', async () => {
        const { name } = await create();
        expect(errorOf(await exchange.call('POST', path, { ...valid(), name }))).to.equal('409 CONFLICT');
      });
    });

    describe('list', () => {
      /** More than a page of 50, in the sandbox so that nothing else is listed. */
      const names = Array.from({ length: 53 }, (_, index) => `Listed ${index}`);
      const list = (query = '') => exchange.get(`${path}${query}`, { 'X-Sandbox': 'true' });
      before(async () => {
        for (const name of names) await create({ name, sandbox: true });
      });

      shows('supply.list.shape', async () => {
        const { status, body } = await list();
        expect(status).to.equal(200);
        expect(body).to.have.all.keys('publishers', 'total', 'page');
        expect(body.publishers[0]).to.include.all.keys('id', 'name', 'domain', 'type', 'status', 'created_at');
      });
      shows(['supply.list.page-default', 'limit.per_page'], async () => {
        const [first, unnamed] = [await list('?page=1'), await list()];
        expect(unnamed.body.page).to.equal(1);
        expect(unnamed.body).to.deep.equal(first.body);
      });
      shows(['supply.list.per-page-default', 'limit.per_page'], async () => {
        expect((await list()).body.publishers).to.have.length(50);
        expect((await list('?per_page=200')).body.publishers.length).to.be.within(names.length, 200);
      });
      shows(['supply.list.per-page-max', 'limit.per_page'], async () => {
        expect((await list('?per_page=200')).status).to.equal(200);
        expect(errorOf(await list('?per_page=201'))).to.equal('400 INVALID_PARAMS per_page');
      });
      shows('supply.list.page-integer', async () => {
        for (const parameter of ['page', 'per_page']) {
          for (const value of ['0', '-1', '1.5', 'one', '']) {
            const answer = await list(`?${parameter}=${value}`);
            expect(errorOf(answer), `${parameter}=${value}`).to.equal(`400 INVALID_PARAMS ${parameter}`);
          }
        }
      });
      shows('supply.list.paging', async () => {
        const seen: string[] = [];
        let total = 0;
        for (let page = 1; ; page++) {
          const { body } = await list(`?page=${page}&per_page=20`);
          total = body.total;
          expect(body.page).to.equal(page);
          if (body.publishers.length === 0) break;
          seen.push(...body.publishers.map(({ name }: { name: string }) => name));
        }
        expect(seen).to.have.length(total);
        expect(new Set(seen).size).to.equal(total);
        expect(seen).to.include.members(names);
      });
      shows(['supply.list.status', 'supply.field.status'], async () => {
        const ids: Record<string, string> = {
          active: (await create()).id,
          sandbox: (await create({ sandbox: true })).id,
          archived: (await create()).id,
        };
        await exchange.call('DELETE', `${path}/${ids.archived}`);
        for (const [status, id] of Object.entries(ids)) {
          const { body } = await exchange.get(`${path}?status=${status}&per_page=200`);
          const listed: { id: string; status: string }[] = body.publishers;
          expect(listed.map((one) => one.id)).to.include(id);
          expect(new Set(listed.map((one) => one.status))).to.deep.equal(new Set([status]));
        }
      });
      shows('supply.list.status-unknown', async () => {
        expect(errorOf(await list('?status=retired'))).to.equal('400 INVALID_PARAMS status');
      });
    });

    describe('read', () => {
      shows('supply.read.200', async () => {
        const created = await create();
        const answer = await exchange.get(`${path}/${created.id}`);
        expect(answer.status).to.equal(200);
        expect(answer.body).to.deep.equal(created);
      });
      shows('supply.read.404', async () => {
        for (const id of [ABSENT_ID, 'no-uuid', '%00']) {
          expect(errorOf(await exchange.get(`${path}/${id}`)), id).to.equal('404 NOT_FOUND');
        }
      });
    });

    describe('update', () => {
      const update = (id: string, changes: object) => exchange.call('PUT', `${path}/${id}`, changes);

      shows(['supply.update.200', 'supply.update.partial'], async () => {
        const { updated_at: _, ...created } = await create({ floor_price_cpm: 2, content_genre: 'news' });
        const answer = await update(created.id, { floor_price_cpm: 3 });
        expect(answer.status).to.equal(200);
        expect(answer.body).to.deep.include({ ...created, floor_price_cpm: 3 });
        expect((await exchange.get(`${path}/${created.id}`)).body).to.deep.equal(answer.body);
      });
      const values = {
        name: `Renamed ${randomUUID()}`,
        domain: 'other.example',
        type: 'ctv',
        floor_price_cpm: 0.5,
        content_genre: 'sport',
      };
      for (const [field, value] of Object.entries(values)) {
        shows(`supply.update.${field}`, async () => {
          const { id } = await create();
          const unlike = field === 'name' ? `${value} ${randomUUID()}` : value;
          expect((await update(id, { [field]: unlike })).body[field]).to.equal(unlike);
          expect((await exchange.get(`${path}/${id}`)).body[field]).to.equal(unlike);
        });
      }
      shows(['supply.update.pool_id', 'supply.field.pool_id'], async () => {
        const pool = await exchange.create('/api/supply/pools', {});
        const { id, pool_id: unassigned } = await create();
        expect(unassigned).to.equal(null);
        expect((await update(id, { pool_id: pool.id })).body.pool_id).to.equal(pool.id);
        expect((await update(id, { pool_id: null })).body.pool_id).to.equal(null);
      });
      shows('supply.update.sandbox', async () => {
        const { id } = await create({ sandbox: true });
        expect((await update(id, { sandbox: false })).body).to.include({ sandbox: false, status: 'active' });
      });
      shows('supply.update.409', async () => {
        const [{ name }, { id }] = [await create(), await create()];
        expect(errorOf(await update(id, { name }))).to.equal('409 CONFLICT');
      });
      shows('supply.update.archived', async () => {
        const { id } = await create();
        await exchange.call('DELETE', `${path}/${id}`);
        expect(errorOf(await update(id, { floor_price_cpm: 1 }))).to.equal('409 CONFLICT');
      });
    });

    describe('archive', () => {
      shows(['supply.archive.200', 'supply.archive.again'], async () => {
        const { id } = await create();
        const first = await exchange.call('DELETE', `${path}/${id}`);
        expect(first.status).to.equal(200);
        expect(first.body).to.include({ id, status: 'archived' });
        const again = await exchange.call('DELETE', `${path}/${id}`);
        expect(again.status).to.equal(200);
        expect(again.body).to.deep.equal(first.body);
      });
    });
  },
  { pairs: PROVIDER_PAIRS },
);
