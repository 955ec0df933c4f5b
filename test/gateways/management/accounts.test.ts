import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { errorOf, type ManagementClient } from './management-client.ts';
import { type RunningManagement, startManagement } from './running-management.ts';

const absentId = 'ffffffff-ffff-4fff-8fff-ffffffffffff';

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/accounts on ${pair}`, () => {
    let running: RunningManagement;
    let operator: ManagementClient;

    before(async function () {
      running = await startManagement(this, pair);
      operator = (await running.newUser(running.accountId, 'operator')).api;
    });
    after(() => running?.close());

    describe('the caller’s own', () => {
      it('is read by key, sandbox key and session', async () => {
        const own = await running.newAccount();
        const { api: session } = await running.newUser(own.accountId);
        for (const client of [own.api, own.sandboxApi, session]) {
          const answer = await client.get('/api/account');
          expect(answer.status).to.equal(200);
          expect(answer.body).to.include({ id: own.accountId, tier: 'enterprise' });
          expect(answer.headers.get('etag')).to.match(/^"1-/);
        }
      });

      it('is renamed by any of its live callers', async () => {
        const own = await running.newAccount();
        const { api: session } = await running.newUser(own.accountId);
        expect((await own.api.put('/api/account', { name: 'By key' })).body.name).to.equal('By key');
        const renamed = await session.put('/api/account', { name: 'By session' });
        expect(renamed.body.name).to.equal('By session');
        expect(renamed.headers.get('etag')).to.match(/^"3-/);
        expect((await own.api.get('/api/account')).body).to.deep.equal(renamed.body);
        expect(renamed.body.usage.live.supply_sources).to.equal(0);
      });

      it('keeps its tier and rate from all but operators', async () => {
        const own = await running.newAccount();
        const { api: member } = await running.newUser(own.accountId);
        for (const client of [own.api, member]) {
          for (const change of [{ tier: 'partner' }, { requests_per_minute: 9 }, { name: 'N', tier: 'standard' }]) {
            expect(errorOf(await client.put('/api/account', change))).to.equal('403 FORBIDDEN');
          }
        }
        const { api: own_operator } = await running.newUser(own.accountId, 'operator');
        const changed = await own_operator.put('/api/account', { tier: 'partner' });
        expect(changed.body).to.include({ tier: 'partner', requests_per_minute: 5000 });
      });

      it('is changed neither from the sandbox nor for a partner', async () => {
        const own = await running.newAccount();
        const { id } = (await own.api.post('/api/partners', { name: 'P' })).body;
        for (const client of [
          own.sandboxApi,
          own.api.as({ 'X-Sandbox': 'true' }),
          own.api.as({ 'X-User-Partner-ID': id }),
        ]) {
          expect(errorOf(await client.put('/api/account', { name: 'N' }))).to.equal('403 FORBIDDEN');
        }
      });

      it('changes only the revision that was expected, and by fields that it has', async () => {
        const own = await running.newAccount();
        const stale = await own.api.put('/api/account', { name: 'N' }, { 'If-Match': '"7"' });
        expect(errorOf(stale)).to.equal('412 PRECONDITION_FAILED');
        expect(errorOf(await own.api.put('/api/account', { name: '' }))).to.equal('400 VALIDATION_ERROR name');
        expect(errorOf(await own.api.put('/api/account', { email: 'x' }))).to.equal('400 VALIDATION_ERROR email');
      });
    });

    describe('all, for operators', () => {
      it('are opened, read, listed and changed', async () => {
        const opened = await operator.post('/api/accounts', { name: 'Acme', tier: 'standard' });
        expect(opened.status).to.equal(201);
        expect(opened.body).to.include({ name: 'Acme', tier: 'standard', requests_per_minute: 1000 });
        const path = `/api/accounts/${opened.body.id}`;
        expect((await operator.get(path)).body).to.deep.equal(opened.body);
        const partner = await operator.put(path, { tier: 'partner' });
        expect(partner.body).to.include({ name: 'Acme', tier: 'partner', requests_per_minute: 5000 });
        const enterprise = await operator.put(path, { tier: 'enterprise', requests_per_minute: 20_000 });
        expect(enterprise.body).to.include({ tier: 'enterprise', requests_per_minute: 20_000 });
        const { body } = await operator.get('/api/accounts');
        const { usage: _, ...listed } = enterprise.body;
        expect(body.accounts).to.deep.include(listed);
        expect(body.total).to.equal(body.accounts.length);
      });

      it('have a rate of their own as enterprises alone', async () => {
        const body = { name: 'Small', tier: 'standard', requests_per_minute: 7 };
        const refused = '400 VALIDATION_ERROR requests_per_minute';
        expect(errorOf(await operator.post('/api/accounts', body))).to.equal(refused);
        const { id } = (await operator.post('/api/accounts', { ...body, tier: 'enterprise' })).body;
        const changed = await operator.put(`/api/accounts/${id}`, { tier: 'partner', requests_per_minute: 7 });
        expect(errorOf(changed)).to.equal(refused);
      });

      it('are standard accounts when nothing is said of it', async () => {
        const { status, body } = await operator.post('/api/accounts', { name: 'N' });
        expect([status, body.tier, body.requests_per_minute]).to.deep.equal([201, 'standard', 1000]);
      });

      it('are refused without what they need', async () => {
        expect(errorOf(await operator.post('/api/accounts', { tier: 'standard' }))).to.equal('400 INVALID_PARAMS name');
        const unknown = await operator.post('/api/accounts', { name: 'N', tier: 'gold' });
        expect(errorOf(unknown)).to.equal('400 VALIDATION_ERROR tier');
        expect(errorOf(await operator.get(`/api/accounts/${absentId}`))).to.equal('404 NOT_FOUND');
        expect(errorOf(await operator.put(`/api/accounts/${absentId}`, { name: 'N' }))).to.equal('404 NOT_FOUND');
      });

      it('are hidden from other accounts', async () => {
        const { api: member } = await running.newUser(running.accountId);
        for (const client of [running.api, running.sandboxApi, member]) {
          expect(errorOf(await client.get('/api/accounts'))).to.equal('403 FORBIDDEN');
          expect(errorOf(await client.post('/api/accounts', { name: 'N', tier: 'standard' }))).to.equal(
            '403 FORBIDDEN',
          );
          expect(errorOf(await client.get(`/api/accounts/${running.accountId}`))).to.equal('403 FORBIDDEN');
          const changed = await client.put(`/api/accounts/${running.accountId}`, { name: 'N' });
          expect(errorOf(changed)).to.equal('403 FORBIDDEN');
        }
        expect(errorOf(await running.anonymous.get('/api/accounts'))).to.equal('401 UNAUTHORIZED');
      });

      it('have a new rate from one of the next requests on', async () => {
        const own = await running.newAccount();
        const limitOf = async () => Number((await own.api.get('/api/account')).headers.get('x-ratelimit-limit'));
        await limitOf();
        for (const [change, limit] of [
          [{ tier: 'standard' }, 1000],
          [{ tier: 'enterprise', requests_per_minute: 777 }, 777],
          [{ requests_per_minute: 778 }, 778],
          [{ tier: 'partner' }, 5000],
        ] as const) {
          expect((await operator.put(`/api/accounts/${own.accountId}`, change)).status).to.equal(200);
          await eventually(`the limit of ${limit}`, async () => (await limitOf()) === limit);
        }
      });
    });
  });
