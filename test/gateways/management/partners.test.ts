import { expect } from 'chai';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { errorOf, type ManagementClient } from './management-client.ts';
import { type AccountClients, type RunningManagement, startManagement } from './running-management.ts';

const absentId = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
const partners = '/api/partners';

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/partners on ${pair}`, () => {
    let running: RunningManagement;
    let own: AccountClients;
    let names = 0;

    before(async function () {
      running = await startManagement(this, pair);
      own = await running.newAccount();
    });
    after(() => running?.close());

    const made = async (path: string, body: object, client = own.api) => {
      const answer = await client.post(path, { name: `Name ${++names}`, ...body });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer.body;
    };
    const acting = (partnerId: string, client = own.api): ManagementClient =>
      client.as({ 'X-User-Partner-ID': partnerId });

    describe('as resources', () => {
      it('are created, read, listed and renamed', async () => {
        const { api } = await running.newAccount();
        expect((await api.get(partners)).body).to.deep.equal({ partners: [], total: 0 });
        const created = await api.post(partners, { name: 'Acme' });
        expect([created.status, created.headers.get('etag')]).to.deep.equal([201, '"1"']);
        expect(created.body).to.have.all.keys('id', 'name', 'created_at', 'updated_at');
        const path = `${partners}/${created.body.id}`;
        expect((await api.get(path)).body).to.deep.equal(created.body);
        const second = await made(partners, {}, api);
        const renamed = await api.put(path, { name: 'Acme Ltd' });
        expect([renamed.status, renamed.body.name, renamed.headers.get('etag')]).to.deep.equal([
          200,
          'Acme Ltd',
          '"2"',
        ]);
        expect((await api.get(partners)).body).to.deep.equal({ partners: [renamed.body, second], total: 2 });
      });

      it('have names that are unique in the account', async () => {
        const { name } = await made(partners, {});
        const { id } = await made(partners, {});
        expect(errorOf(await own.api.post(partners, { name: name.toUpperCase() }))).to.equal('409 CONFLICT');
        expect(errorOf(await own.api.put(`${partners}/${id}`, { name }))).to.equal('409 CONFLICT');
        const other = await running.newAccount();
        await made(partners, { name }, other.api);
      });

      it('are refused without a name, with another type, with fields that they do not have', async () => {
        expect(errorOf(await own.api.post(partners, {}))).to.equal('400 INVALID_PARAMS name');
        expect(errorOf(await own.api.post(partners, { name: 7 }))).to.equal('400 VALIDATION_ERROR name');
        expect(errorOf(await own.api.post(partners, { name: 'N', tier: 1 }))).to.equal('400 VALIDATION_ERROR tier');
      });

      it('change only the revision that was expected', async () => {
        const { id } = await made(partners, {});
        const stale = await own.api.put(`${partners}/${id}`, { name: 'Stale' }, { 'If-Match': '"9"' });
        expect(errorOf(stale)).to.equal('412 PRECONDITION_FAILED');
        expect((await own.api.put(`${partners}/${id}`, { name: 'Fresh' }, { 'If-Match': '"1"' })).status).to.equal(200);
      });

      it('are made once under one Idempotency-Key', async () => {
        const again = { 'Idempotency-Key': 'once' };
        const [first, second] = [
          await own.api.post(partners, { name: 'Once' }, again),
          await own.api.post(partners, { name: 'Once' }, again),
        ];
        expect(second.body).to.deep.equal(first.body);
      });

      it('do not exist for other accounts', async () => {
        const { id } = await made(partners, {});
        const other = await running.newAccount();
        expect(errorOf(await other.api.get(`${partners}/${id}`))).to.equal('404 NOT_FOUND');
        expect(errorOf(await other.api.put(`${partners}/${id}`, { name: 'Mine' }))).to.equal('404 NOT_FOUND');
        expect(errorOf(await own.api.get(`${partners}/${absentId}`))).to.equal('404 NOT_FOUND');
      });

      it('are seen by the sandbox and not changed by its keys', async () => {
        const { id } = await made(partners, {});
        expect((await own.sandboxApi.get(`${partners}/${id}`)).status).to.equal(200);
        expect(errorOf(await own.sandboxApi.put(`${partners}/${id}`, { name: 'X' }))).to.equal('403 FORBIDDEN');
      });

      it('see themselves alone, and make no others', async () => {
        const [one, two] = [await made(partners, {}), await made(partners, {})];
        const client = acting(one.id);
        expect((await client.get(partners)).body).to.deep.equal({ partners: [one], total: 1 });
        expect(errorOf(await client.get(`${partners}/${two.id}`))).to.equal('404 NOT_FOUND');
        expect(errorOf(await client.put(`${partners}/${two.id}`, { name: 'X' }))).to.equal('404 NOT_FOUND');
        expect(errorOf(await client.post(partners, { name: 'X' }))).to.equal('403 FORBIDDEN');
      });
    });

    describe('as X-User-Partner-ID', () => {
      it('are refused with 403 when they are not of the account', async () => {
        const other = await running.newAccount();
        const stranger = await made(partners, {}, other.api);
        for (const id of [stranger.id, absentId, 'x', `${stranger.id}x`]) {
          expect(errorOf(await acting(id).get('/api/supply/sources')), id).to.equal('403 FORBIDDEN');
          expect(errorOf(await acting(id).get(partners)), id).to.equal('403 FORBIDDEN');
        }
      });

      it('can be used at once', async () => {
        for (let count = 0; count < 5; count++) {
          const { id } = await made(partners, {});
          expect((await acting(id).get('/api/supply/sources')).body.total).to.equal(0);
          expect((await acting(id.toUpperCase()).get('/api/demand/sources')).body.total).to.equal(0);
        }
      });
    });

    describe('as partner_id of a source', () => {
      const kinds = [
        ['/api/supply/sources', { domain: 'd.example', type: 'web' }],
        ['/api/demand/sources', { mode: 'delegate' }],
      ] as const;
      for (const [path, fields] of kinds) {
        it(`must be a partner of the account (${path})`, async () => {
          const other = await running.newAccount();
          const stranger = await made(partners, {}, other.api);
          const partner = await made(partners, {});
          const source = await made(path, { ...fields, partner_id: partner.id });
          expect(source.partner_id).to.equal(partner.id);
          for (const id of [stranger.id, absentId]) {
            const body = { ...fields, name: `Name ${++names}`, partner_id: id };
            expect(errorOf(await own.api.post(path, body))).to.equal('400 VALIDATION_ERROR partner_id');
            const moved = await own.api.put(`${path}/${source.id}`, { partner_id: id });
            expect(errorOf(moved)).to.equal('400 VALIDATION_ERROR partner_id');
          }
          const given = await own.api.put(`${path}/${source.id}`, { partner_id: null });
          expect(given.body.partner_id).to.equal(null);
        });

        it(`is not handed to another by a partner (${path})`, async () => {
          const [one, two] = [await made(partners, {}), await made(partners, {})];
          const source = await made(path, fields, acting(one.id));
          expect(source.partner_id).to.equal(one.id);
          for (const id of [two.id, null]) {
            const answer = await acting(one.id).put(`${path}/${source.id}`, { partner_id: id });
            expect(errorOf(answer)).to.equal('403 FORBIDDEN');
            const body = { ...fields, name: `Name ${++names}`, partner_id: id };
            expect(errorOf(await acting(one.id).post(path, body))).to.equal('403 FORBIDDEN');
          }
        });
      }
    });

    it('see nothing of each other’s sources, on any route', async () => {
      const [one, two] = [acting((await made(partners, {})).id), acting((await made(partners, {})).id)];
      const pool = await made('/api/supply/pools', {});
      const supply = await made('/api/supply/sources', { domain: 'd.example', type: 'web', pool_id: pool.id }, one);
      const demand = await made('/api/demand/sources', { mode: 'delegate' }, one);
      expect((await one.post(`/api/demand/sources/${demand.id}/pools/${pool.id}`)).status).to.equal(200);

      const routes: [method: string, path: string, body?: object][] = [
        ['GET', `/api/supply/sources/${supply.id}`],
        ['PUT', `/api/supply/sources/${supply.id}`, { name: 'Taken' }],
        ['DELETE', `/api/supply/sources/${supply.id}`],
        ['GET', `/api/supply/sources/${supply.id}/stats`],
        ['GET', `/api/metrics/publisher/${supply.id}`],
        ['GET', `/api/fees/${supply.id}`],
        ['PUT', `/api/supply/pools/${pool.id}/assign`, { publisher_id: supply.id }],
        ['GET', `/api/demand/sources/${demand.id}`],
        ['PUT', `/api/demand/sources/${demand.id}`, { name: 'Taken' }],
        ['DELETE', `/api/demand/sources/${demand.id}`],
        ['GET', `/api/demand/sources/${demand.id}/stats`],
        ['GET', `/api/demand/sources/${demand.id}/health`],
        ['POST', `/api/demand/sources/${demand.id}/reset`],
        ['GET', `/api/demand/sources/${demand.id}/pools`],
        ['POST', `/api/demand/sources/${demand.id}/pools/${pool.id}`],
        ['DELETE', `/api/demand/sources/${demand.id}/pools/${pool.id}`],
        ['GET', `/api/demand/dsp/${demand.id}/budget`],
        ['GET', `/api/metrics/dsp/${demand.id}`],
        ['GET', `/api/fees/${demand.id}`],
      ];
      for (const [method, path, body] of routes) {
        const answer = await two.request(method, path, body === undefined ? {} : { body });
        expect(errorOf(answer), `${method} ${path}`).to.equal('404 NOT_FOUND');
      }
      expect((await two.get('/api/supply/sources')).body.publishers).to.deep.equal([]);
      expect((await two.get('/api/demand/sources')).body.dsps).to.deep.equal([]);
      const counted = async (client: ManagementClient) => {
        const { publisher_count, dsp_count } = (await client.get(`/api/supply/pools/${pool.id}`)).body;
        return [publisher_count, dsp_count];
      };
      expect([await counted(one), await counted(two), await counted(own.api)]).to.deep.equal([
        [1, 1],
        [0, 0],
        [1, 1],
      ]);
      expect((await one.get(`/api/supply/sources/${supply.id}`)).body).to.deep.equal(supply);
    });
  });
