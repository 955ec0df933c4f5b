// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are macros of sync URLs
import { expect } from 'chai';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { errorOf, type ManagementClient } from './management-client.ts';
import { type RunningManagement, startManagement } from './running-management.ts';

const absentId = 'ffffffff-ffff-4fff-8fff-ffffffffffff';

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/demand sources on ${pair}`, () => {
    let running: RunningManagement;
    let api: ManagementClient;
    let names = 0;

    before(async function () {
      running = await startManagement(this, pair);
      api = running.api;
    });
    after(() => running?.close());

    const fields = (more: object = {}) => ({
      name: `Bidder ${++names}`,
      mode: 'rtb',
      endpoint_url: 'https://bidder.example/bid',
      ...more,
    });
    const delegate = { mode: 'delegate', endpoint_url: undefined };
    const create = async (more: object = {}, client = api) => {
      const answer = await client.post('/api/demand/sources', fields(more));
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer.body;
    };

    it('are created with 201 and defaults, and read back', async () => {
      const created = await create();
      expect(created).to.deep.include({
        mode: 'rtb',
        status: 'active',
        endpoint_url: 'https://bidder.example/bid',
        sandbox: false,
        daily_budget_cents: 0,
        timeout_ms: 150,
        openrtb_version: '2.6',
        user_sync_url: null,
        user_sync_type: 'redirect',
        tcf_vendor_id: null,
        loss_notice_method: 'POST',
      });
      expect((await api.get(`/api/demand/sources/${created.id}`)).body).to.deep.equal(created);
    });

    it('have no endpoint as delegates', async () => {
      expect((await create(delegate)).endpoint_url).to.equal(null);
      expect((await create({ ...delegate, endpoint_url: null })).endpoint_url).to.equal(null);
    });

    const refused: readonly [string, object, string][] = [
      ['no name', { name: undefined }, '400 INVALID_PARAMS name'],
      ['no mode', { mode: undefined }, '400 INVALID_PARAMS mode'],
      ['no endpoint for rtb', { endpoint_url: undefined }, '400 INVALID_PARAMS endpoint_url'],
      ['a null endpoint for rtb', { endpoint_url: null }, '400 INVALID_PARAMS endpoint_url'],
      ['an endpoint for a delegate', { mode: 'delegate' }, '400 VALIDATION_ERROR endpoint_url'],
      ['an endpoint that is no URL', { endpoint_url: 'bidder' }, '400 VALIDATION_ERROR endpoint_url'],
      [
        'an endpoint whose host the DNS cannot have',
        { endpoint_url: `https://${'一'.repeat(64)}.test/` },
        '400 VALIDATION_ERROR endpoint_url',
      ],
      ['an endpoint of another scheme', { endpoint_url: 'ftp://b.example/' }, '400 VALIDATION_ERROR endpoint_url'],
      ['an endpoint with a password', { endpoint_url: 'https://u:p@b.example/' }, '400 VALIDATION_ERROR endpoint_url'],
      ['an unknown mode', { mode: 'pmp' }, '400 VALIDATION_ERROR mode'],
      ['a timeout above 150 ms', { timeout_ms: 151 }, '400 VALIDATION_ERROR timeout_ms'],
      ['a timeout of 0', { timeout_ms: 0 }, '400 VALIDATION_ERROR timeout_ms'],
      ['a budget below 0', { daily_budget_cents: -1 }, '400 VALIDATION_ERROR daily_budget_cents'],
      ['a budget in fractions of a cent', { daily_budget_cents: 0.5 }, '400 VALIDATION_ERROR daily_budget_cents'],
      ['an unknown OpenRTB version', { openrtb_version: '3.0' }, '400 VALIDATION_ERROR openrtb_version'],
      ['a sync URL that is no URL', { user_sync_url: 'sync' }, '400 VALIDATION_ERROR user_sync_url'],
      [
        'a sync URL whose host the DNS cannot have',
        { user_sync_url: `https://${'一'.repeat(64)}.test/` },
        '400 VALIDATION_ERROR user_sync_url',
      ],
      ['a sync URL of another scheme', { user_sync_url: 'javascript:x()' }, '400 VALIDATION_ERROR user_sync_url'],
      ['a sync URL with a password', { user_sync_url: 'https://u:p@b.example/' }, '400 VALIDATION_ERROR user_sync_url'],
      ['no macro', { user_sync_url: 'https://b.example/?to=${SET_URL}' }, '400 VALIDATION_ERROR user_sync_url'],
      ['a macro for a host', { user_sync_url: 'https://${GDPR_CONSENT}/' }, '400 VALIDATION_ERROR user_sync_url'],
      ['another way to sync', { user_sync_type: 'script' }, '400 VALIDATION_ERROR user_sync_type'],
      ['a vendor id of more than 16 bits', { tcf_vendor_id: 65_536 }, '400 VALIDATION_ERROR tcf_vendor_id'],
    ];
    for (const [what, more, error] of refused) {
      it(`are refused with ${what}, and the name stays free`, async () => {
        const body = fields(more);
        expect(errorOf(await api.post('/api/demand/sources', body))).to.equal(error);
        if (body.name !== undefined) await create({ name: body.name });
      });
    }

    it('have a unique name', async () => {
      const { name } = await create();
      expect(errorOf(await api.post('/api/demand/sources', fields({ name })))).to.equal('409 CONFLICT');
    });

    it('change by the fields given', async () => {
      const created = await create();
      const answer = await api.put(`/api/demand/sources/${created.id}`, { daily_budget_cents: 500 });
      expect({ ...answer.body, updated_at: created.updated_at }).to.deep.equal({ ...created, daily_budget_cents: 500 });
    });

    it('lose none of several changes made at once', async () => {
      const { id } = await create();
      const changes = [
        { daily_budget_cents: 7 },
        { timeout_ms: 99 },
        { openrtb_version: '2.5' },
        { endpoint_url: 'https://other.example/' },
        { name: 'Renamed bidder' },
        { user_sync_url: 'https://sync.example/match?back=${REDIRECT_URL}', user_sync_type: 'iframe' },
        { tcf_vendor_id: 42 },
        { loss_notice_method: 'GET' },
      ];
      const answers = await Promise.all(changes.map((change) => api.put(`/api/demand/sources/${id}`, change)));
      expect(answers.map(({ status }) => status)).to.deep.equal(changes.map(() => 200));
      expect((await api.get(`/api/demand/sources/${id}`)).body).to.deep.include(Object.assign({}, ...changes));
    });

    it('become delegates without an endpoint, and bidders only with one', async () => {
      const { id } = await create();
      const asDelegate = await api.put(`/api/demand/sources/${id}`, { mode: 'delegate' });
      expect([asDelegate.body.mode, asDelegate.body.endpoint_url]).to.deep.equal(['delegate', null]);
      const without = await api.put(`/api/demand/sources/${id}`, { mode: 'rtb' });
      expect(errorOf(without)).to.equal('400 INVALID_PARAMS endpoint_url');
      const back = await api.put(`/api/demand/sources/${id}`, { mode: 'rtb', endpoint_url: 'http://b.example/' });
      expect([back.body.mode, back.body.endpoint_url]).to.deep.equal(['rtb', 'http://b.example/']);
    });

    it('archived, refuse changes and stay readable', async () => {
      const { id } = await create();
      const archived = await api.delete(`/api/demand/sources/${id}`);
      expect([archived.status, archived.body.status]).to.deep.equal([200, 'archived']);
      expect((await api.delete(`/api/demand/sources/${id}`)).body).to.deep.equal(archived.body);
      expect(errorOf(await api.put(`/api/demand/sources/${id}`, { timeout_ms: 9 }))).to.equal('409 CONFLICT');
      expect((await api.get(`/api/demand/sources/${id}`)).body).to.deep.equal(archived.body);
    });

    it('are listed by status and mode', async () => {
      const own = await running.newAccount();
      const [rtb, asDelegate] = [await create({}, own.api), await create(delegate, own.api)];
      const sandbox = await create({}, own.sandboxApi);
      const archived = await create({}, own.api);
      await own.api.delete(`/api/demand/sources/${archived.id}`);
      const ids = async (query: string, client = own.api) => {
        const { body } = await client.get(`/api/demand/sources${query}`);
        expect(body.total).to.equal(body.dsps.length);
        return body.dsps.map(({ id }: { id: string }) => id);
      };
      expect(await ids('')).to.have.members([rtb.id, asDelegate.id, archived.id]);
      expect(await ids('?status=active&mode=rtb')).to.deep.equal([rtb.id]);
      expect(await ids('?mode=delegate')).to.deep.equal([asDelegate.id]);
      expect(await ids('?status=archived')).to.deep.equal([archived.id]);
      expect(await ids('?status=sandbox')).to.deep.equal([sandbox.id]);
      expect(await ids('', own.sandboxApi)).to.deep.equal([sandbox.id]);
      expect(errorOf(await own.api.get('/api/demand/sources?mode=x'))).to.equal('400 INVALID_PARAMS mode');
      expect(errorOf(await own.api.get('/api/demand/sources?status=x'))).to.equal('400 INVALID_PARAMS status');
    });

    it('do not exist for other accounts, nor live ones for the sandbox', async () => {
      const { id } = await create();
      const other = await running.newAccount();
      for (const client of [other.api, running.sandboxApi, api.as({ 'X-Sandbox': 'true' })]) {
        expect(errorOf(await client.get(`/api/demand/sources/${id}`))).to.equal('404 NOT_FOUND');
        expect(errorOf(await client.put(`/api/demand/sources/${id}`, { name: 'Mine' }))).to.equal('404 NOT_FOUND');
      }
      expect(errorOf(await api.get(`/api/demand/sources/${absentId}`))).to.equal('404 NOT_FOUND');
    });
  });
