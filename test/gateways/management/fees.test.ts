import { expect } from 'chai';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { errorOf, type ManagementClient } from './management-client.ts';
import { type AccountClients, type RunningManagement, startManagement } from './running-management.ts';

const absentId = 'ffffffff-ffff-4fff-8fff-ffffffffffff';

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/fees on ${pair}`, () => {
    let running: RunningManagement;
    let own: AccountClients;
    let operator: ManagementClient;
    let names = 0;

    before(async function () {
      running = await startManagement(this, pair);
      own = await running.newAccount();
      // An operator of another account than the sources'.
      operator = (await running.newUser(running.accountId, 'operator')).api;
    });
    after(() => running?.close());

    const made = async (path: string, body: object, client = own.api): Promise<string> => {
      const answer = await client.post(path, { name: `Name ${++names}`, ...body });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer.body.id;
    };
    const supply = (more: object = {}, client = own.api) =>
      made('/api/supply/sources', { domain: 'd.example', type: 'web', ...more }, client);
    const demand = (client = own.api) => made('/api/demand/sources', { mode: 'delegate' }, client);

    for (const [kind, make] of [
      ['publisher', () => supply()],
      ['dsp', () => demand()],
    ] as const) {
      it(`of a ${kind} are 0 until an operator sets them`, async () => {
        const id = await make();
        expect((await own.api.get(`/api/fees/${id}`)).body).to.deep.equal({ source_id: id, kind, fee_percent: 0 });
        const set = await operator.put(`/api/fees/${id}`, { fee_percent: 12.3456 });
        expect(set.status).to.equal(200);
        expect(set.body).to.deep.equal({ source_id: id, kind, fee_percent: 12.3456 });
        const { api: member } = await running.newUser(own.accountId);
        for (const client of [own.api, member, operator]) {
          expect((await client.get(`/api/fees/${id}`)).body).to.deep.equal(set.body);
        }
      });
    }

    it('keep every decimal that they may have', async () => {
      const id = await supply();
      for (const percent of [0.0001, 0.07, 0.3, 33.3333, 99.9999, 100, 0]) {
        const set = await operator.put(`/api/fees/${id}`, { fee_percent: percent });
        expect(set.body?.fee_percent, String(percent)).to.equal(percent);
      }
    });

    it('are from 0 to 100 with at most 4 decimals', async () => {
      const id = await supply();
      for (const percent of [-1, 100.0001, 0.00001, 12.34567, '15', null]) {
        const answer = await operator.put(`/api/fees/${id}`, { fee_percent: percent });
        expect(errorOf(answer), String(percent)).to.equal('400 VALIDATION_ERROR fee_percent');
      }
      expect(errorOf(await operator.put(`/api/fees/${id}`, {}))).to.equal('400 INVALID_PARAMS fee_percent');
      expect((await own.api.get(`/api/fees/${id}`)).body.fee_percent).to.equal(0);
    });

    it('are written by operators alone', async () => {
      const id = await supply();
      const { api: member } = await running.newUser(own.accountId);
      for (const client of [own.api, own.sandboxApi, member]) {
        expect(errorOf(await client.put(`/api/fees/${id}`, { fee_percent: 1 }))).to.equal('403 FORBIDDEN');
      }
      expect(errorOf(await running.anonymous.put(`/api/fees/${id}`, { fee_percent: 1 }))).to.equal('401 UNAUTHORIZED');
    });

    it('are read by their own account and partner, in their own context', async () => {
      const partnerId = await made('/api/partners', {});
      const [ofPartner, live, rehearsal] = [
        await supply({ partner_id: partnerId }),
        await supply(),
        await supply({ sandbox: true }),
      ];
      const partner = own.api.as({ 'X-User-Partner-ID': partnerId });
      expect((await partner.get(`/api/fees/${ofPartner}`)).status).to.equal(200);
      expect(errorOf(await partner.get(`/api/fees/${live}`))).to.equal('404 NOT_FOUND');
      expect((await own.sandboxApi.get(`/api/fees/${rehearsal}`)).status).to.equal(200);
      expect(errorOf(await own.sandboxApi.get(`/api/fees/${live}`))).to.equal('404 NOT_FOUND');
      const other = await running.newAccount();
      expect(errorOf(await other.api.get(`/api/fees/${live}`))).to.equal('404 NOT_FOUND');
      const sandboxed = operator.as({ 'X-Sandbox': 'true' });
      expect(errorOf(await sandboxed.put(`/api/fees/${live}`, { fee_percent: 1 }))).to.equal('404 NOT_FOUND');
      for (const id of [absentId, 'x']) {
        expect(errorOf(await operator.get(`/api/fees/${id}`))).to.equal('404 NOT_FOUND');
        expect(errorOf(await operator.put(`/api/fees/${id}`, { fee_percent: 1 }))).to.equal('404 NOT_FOUND');
      }
    });

    it('change only the revision that was expected, and of an archived source too', async () => {
      const id = await demand();
      await own.api.delete(`/api/demand/sources/${id}`);
      const { headers } = await own.api.get(`/api/fees/${id}`);
      const stale = await operator.put(`/api/fees/${id}`, { fee_percent: 1 }, { 'If-Match': '"1"' });
      expect(errorOf(stale)).to.equal('412 PRECONDITION_FAILED');
      const expected = { 'If-Match': headers.get('etag')! };
      expect((await operator.put(`/api/fees/${id}`, { fee_percent: 1 }, expected)).body.fee_percent).to.equal(1);
    });
  });
