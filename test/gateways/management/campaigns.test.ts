import { expect } from 'chai';
import { ledger } from '#actors/ledger/ledger';
import { hourLedgerId } from '#actors/ledger/ledger-id';
import { eventually } from '../../support/eventually.ts';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { campaigns, delegateCampaigns, sources } from './delegate-campaigns.ts';
import { errorOf, type ManagementClient } from './management-client.ts';
import { type AccountClients, type RunningManagement, startManagement } from './running-management.ts';

const absentId = 'ffffffff-ffff-4fff-8fff-ffffffffffff';

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/campaigns and strategies on ${pair}`, () => {
    let running: RunningManagement;
    let own: AccountClients;
    let api: ManagementClient;
    let partners = 0;

    before(async function () {
      running = await startManagement(this, pair);
      own = await running.newAccount();
      api = own.api;
    });
    after(() => running?.close());
    const { delegate, document, create, upload, idsOf } = delegateCampaigns(() => api);

    describe('where their demand source is', () => {
      it('in the sandbox or live, and with it when it moves', async () => {
        const dspId = await delegate({ sandbox: true });
        const { id } = await create(dspId);
        const sandbox = own.sandboxApi;
        expect(await idsOf('', sandbox)).to.include(id);
        expect(await idsOf('')).not.to.include(id);
        expect(await idsOf('', api.as({ 'X-Sandbox': 'true' }))).to.include(id);
        expect((await sandbox.get(`${campaigns}/${id}`)).status).to.equal(200);

        expect((await api.put(`${sources}/${dspId}`, { sandbox: false })).body.status).to.equal('active');
        expect(await idsOf('', sandbox)).not.to.include(id);
        expect(await idsOf('')).to.include(id);
        for (const [method, path] of [
          ['GET', `${campaigns}/${id}`],
          ['GET', `${campaigns}/${id}/performance`],
          ['PUT', `${campaigns}/${id}`],
          ['POST', `${campaigns}/${id}/pause`],
          ['POST', `${campaigns}/${id}/reactivate`],
          ['GET', `${sources}/${dspId}/strategy`],
          ['PUT', `${sources}/${dspId}/strategy`],
        ] as const) {
          const answer = await sandbox.request(method, path, method === 'GET' ? {} : { body: {} });
          expect(errorOf(answer), `${method} ${path}`).to.equal('404 NOT_FOUND');
        }
        const refused = await sandbox.post(campaigns, { dsp_id: dspId, ...document('x') });
        expect(errorOf(refused)).to.equal('400 VALIDATION_ERROR dsp_id');
      });

      it('at the partner, and at no other', async () => {
        const partner = async () => (await api.post('/api/partners', { name: `P ${++partners}` })).body.id as string;
        const [first, second] = [await partner(), await partner()];
        const as = (partnerId: string) => api.as({ 'X-User-Partner-ID': partnerId });
        const dspId = await delegate({}, as(first));
        const { id } = await create(dspId, {}, as(first));
        expect(await idsOf('', as(first))).to.deep.equal([id]);
        expect(await idsOf('', as(second))).to.deep.equal([]);
        expect(await idsOf(`&dsp_id=${dspId}`, as(second))).to.deep.equal([]);
        expect(errorOf(await as(second).get(`${campaigns}/${id}`))).to.equal('404 NOT_FOUND');
        expect(errorOf(await upload(dspId, {}, as(second)))).to.equal('404 NOT_FOUND');

        await api.put(`${sources}/${dspId}`, { partner_id: second });
        expect((await as(second).get(`${campaigns}/${id}`)).status).to.equal(200);
        expect(errorOf(await as(first).get(`${campaigns}/${id}`))).to.equal('404 NOT_FOUND');
      });

      it('in its account, and in no other', async () => {
        const { id } = await create(await delegate());
        const other = await running.newAccount();
        expect(errorOf(await other.api.get(`${campaigns}/${id}`))).to.equal('404 NOT_FOUND');
        expect(errorOf(await other.api.post(`${campaigns}/${id}/pause`))).to.equal('404 NOT_FOUND');
        expect((await other.api.get(campaigns)).body).to.deep.equal({ campaigns: [], total: 0, page: 1 });
      });

      it('archived with it: they are read, and changed no more', async () => {
        const dspId = await delegate();
        const { id } = await create(dspId);
        await api.delete(`${sources}/${dspId}`);
        expect((await api.get(`${campaigns}/${id}`)).body.id).to.equal(id);
        expect(errorOf(await api.put(`${campaigns}/${id}`, { priority: 1 }))).to.equal('409 CONFLICT');
        expect(errorOf(await api.post(`${campaigns}/${id}/pause`))).to.equal('409 CONFLICT');
        expect(errorOf(await upload(dspId))).to.equal('409 CONFLICT');
      });
    });

    describe('changes', () => {
      it('of one campaign at the same time are both kept', async () => {
        const { id } = await create(await delegate());
        const changes = [
          { bidding: { max_cpm: 9 } },
          { priority: 3 },
          { targeting: { genres: ['drama'] } },
          { status: 'paused' },
        ];
        const answers = await Promise.all(changes.map((change) => api.put(`${campaigns}/${id}`, change)));
        expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
        expect((await api.get(`${campaigns}/${id}`)).body).to.deep.include({
          bidding: { base_cpm: 2, max_cpm: 9 },
          priority: 3,
          targeting: { genres: ['drama'] },
          status: 'paused',
        });
      });

      it('of one campaign are made at the revision that is expected', async () => {
        const dspId = await delegate();
        const created = await api.post(campaigns, { dsp_id: dspId, ...document('revised') });
        expect(created.headers.get('etag')).to.equal('"1"');
        const path = `${campaigns}/${created.body.id}`;
        const changed = await api.put(path, { priority: 1 }, { 'If-Match': '"1"' });
        expect([changed.status, changed.headers.get('etag')]).to.deep.equal([200, '"2"']);
        for (const answer of [
          await api.put(path, { priority: 2 }, { 'If-Match': '"1"' }),
          await api.post(`${path}/pause`, undefined, { 'If-Match': '"1"' }),
        ]) {
          expect(errorOf(answer)).to.equal('412 PRECONDITION_FAILED');
        }
        expect((await api.get(path)).headers.get('etag')).to.equal('"2"');
      });

      it('of a strategy are made at the revision that is expected', async () => {
        const dspId = await delegate();
        expect((await upload(dspId)).headers.get('etag')).to.equal('"1"');
        expect((await upload(dspId)).headers.get('etag'), 'the same again').to.equal('"1"');
        const second = await upload(dspId, { default_bid: 2 }, api, { 'If-Match': '"1"' });
        expect(second.headers.get('etag')).to.equal('"2"');
        const late = await upload(dspId, { default_bid: 3 }, api, { 'If-Match': '"1"' });
        expect(errorOf(late)).to.equal('412 PRECONDITION_FAILED');
        const read = await api.get(`${sources}/${dspId}/strategy`);
        expect([read.body.default_bid, read.headers.get('etag')]).to.deep.equal([2, '"2"']);
      });

      it('made twice under one Idempotency-Key are made once', async () => {
        const dspId = await delegate();
        const body = { dsp_id: dspId, ...document('once'), campaign_id: undefined };
        const headers = { 'Idempotency-Key': `key-${dspId}` };
        const [first, second] = [await api.post(campaigns, body, headers), await api.post(campaigns, body, headers)];
        expect([first.status, second.status]).to.deep.equal([201, 201]);
        expect(second.body).to.deep.equal(first.body);
        expect(await idsOf(`&dsp_id=${dspId}`)).to.deep.equal([first.body.id]);
      });

      it('take back what was read', async () => {
        const created = await create(await delegate());
        const { id, origin, creative_warnings, created_at, updated_at, ...rest } = created;
        const answer = await api.put(`${campaigns}/${id}`, rest);
        expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
        const { updated_at: _, ...after } = answer.body;
        expect(after).to.deep.equal({ ...rest, id, origin, creative_warnings, created_at });
        expect(updated_at).to.be.a('string');
      });

      it('take back a pause that was a budget’s, and clear its cause', async () => {
        const { id } = await create(await delegate());
        const read = { status: 'paused', paused_by: 'daily_budget' };
        const answer = await api.put(`${campaigns}/${id}`, read);
        expect(answer.body).to.include({ status: 'active', paused_by: null });
        const byHand = await api.put(`${campaigns}/${id}`, { status: 'paused', paused_by: null });
        expect(byHand.body).to.include({ status: 'paused', paused_by: 'hand' });
      });
    });

    describe('performance', () => {
      it('is zero before anything was bid', async () => {
        const dspId = await delegate();
        const { id, campaign_id } = await create(dspId);
        const answer = await api.get(`${campaigns}/${id}/performance?period=7d`);
        expect(answer.body).to.deep.equal({
          id,
          campaign_id,
          dsp_id: dspId,
          period: '7d',
          impressions: 0,
          spend_cents: 0,
          ecpm_cents: 0,
          bids: 0,
          wins: 0,
          win_rate: 0,
          budget: {
            daily_cents: 0,
            spent_today_cents: 0,
            reserved_today_cents: 0,
            remaining_today_cents: null,
            total_cents: 0,
            remaining_total_cents: null,
          },
          creatives: [],
        });
        expect(errorOf(await api.get(`${campaigns}/${id}/performance?period=1y`))).to.equal(
          '400 INVALID_PARAMS period',
        );
        expect(errorOf(await api.get(`${campaigns}/${absentId}/performance`))).to.equal('404 NOT_FOUND');
      });

      it('is what the ledgers of the campaign say', async () => {
        const { id } = await create(await delegate());
        const nowMs = Date.now();
        const sum = { impressions: 4, grossNanos: 4 * 2_500_000, feeNanos: 0 };
        await running.parts.messenger.tell(ledger, hourLedgerId('campaign', id, nowMs, false), 'totals', {
          partition: 0,
          minuteMs: Math.floor(nowMs / 60_000) * 60_000,
          version: '1-1',
          regions: [{ region: 'fra', ...sum, counterparties: [], creatives: [{ id: 'v', ...sum }] }],
        });
        await eventually('the ledger is saved', async () => {
          const { body } = await api.get(`${campaigns}/${id}/performance`);
          expect(body).to.include({ impressions: 4, spend_cents: 1, ecpm_cents: 250 });
          expect(body.creatives).to.deep.equal([
            { creative_id: 'v', bids: 0, wins: 0, win_rate: 0, impressions: 4, ecpm_cents: 250 },
          ]);
          return true;
        });
        expect((await api.get(`${campaigns}/${id}/performance?region=nyc`)).body.impressions).to.equal(0);
      });
    });
  });
