import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { limitsOf } from '#actors/account/limits';
import { apiKey } from '#actors/api-key/api-key';
import { webhookNameId } from '#actors/webhook/reduce';
import { webhook } from '#actors/webhook/webhook';
import { credentialId } from '#gateways/http/credential-id';
import { withClaimedName } from '#gateways/management/changes/claim-name';
import { mostWebhooks, urlDigest } from '#gateways/management/resources/webhooks/webhook';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { errorOf, type ManagementClient } from './management-client.ts';
import { type AccountClients, type RunningManagement, startManagement, type UserClient } from './running-management.ts';

const { api_keys: mostKeys } = limitsOf({ tier: 'standard' }, false);

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/quotas on ${pair}`, () => {
    let running: RunningManagement;

    before(async function () {
      running = await startManagement(this, pair, { settings: { campaignsPerSource: 3 } });
    });
    after(() => running?.close());

    /** Does `act` so many times, some at once. */
    const often = async (times: number, act: (index: number) => Promise<unknown>) => {
      for (let start = 0; start < times; start += 100) {
        await Promise.all(Array.from({ length: Math.min(100, times - start) }, (_, index) => act(start + index)));
      }
    };

    describe('of webhooks', () => {
      const events = ['pool.dsp_joined'] as const;
      let own: AccountClients;
      const register = (name: string, client: ManagementClient = own.api, headers = {}) =>
        client.post('/api/webhooks', { url: `https://hooks.example/${name}`, events }, headers);

      before(async () => {
        own = await running.newAccount();
        await often(mostWebhooks - 1, (index) => {
          const [id, url, { accountId }] = [randomUUID(), `https://hooks.example/${index}`, own];
          const of = { accountId, partnerId: null, sandbox: false };
          const claiming = { nameId: webhookNameId(of, urlDigest(url)), holder: `${webhook.kind}/${id}`, claim: id };
          return withClaimedName(running.parts, claiming, (nameClaim) => {
            const fields = { ...of, url, events: [...events], sealedSecret: 'v1.none', nameClaim };
            return running.node.messenger.ask(webhook, id, 'create', fields);
          });
        });
      });

      it('is of an account and environment, and free again with what is deleted', async () => {
        const once = { 'Idempotency-Key': 'the last' };
        const last = await register('last', own.api, once);
        expect(last.status).to.equal(201);
        const refused = await register('beyond');
        expect(errorOf(refused)).to.equal('409 CONFLICT');
        expect(refused.body.error.message).to.include(String(mostWebhooks));
        expect((await register('last', own.api, once)).body).to.deep.equal(last.body);
        expect((await register('beyond', own.sandboxApi)).status).to.equal(201);
        expect((await register('beyond', (await running.newAccount()).api)).status).to.equal(201);
        await own.api.delete(`/api/webhooks/${last.body.id}`);
        expect((await register('beyond')).status).to.equal(201);
      });
    });

    describe('of campaigns', () => {
      const delegate = async ({ api }: AccountClients, name: string): Promise<string> => {
        return (await api.post('/api/demand/sources', { name, mode: 'delegate' })).body.id;
      };
      const campaign = (dspId: string, name: string) => ({
        dsp_id: dspId,
        campaign_id: name,
        campaign_name: name,
        bidding: { base_cpm: 1 },
        creative: { creative_id: 'c', html: '<b>Hello</b>' },
      });

      it('is of a demand source, those of its strategy aside', async () => {
        const own = await running.newAccount();
        const [dspId, otherId] = [await delegate(own, 'Large'), await delegate(own, 'Other')];
        const { dsp_id: _, ...ofStrategy } = campaign(dspId, 'of its strategy');
        const strategy = { version: '1.0', dsp_id: dspId, default_bid: 1, campaigns: [ofStrategy], rules: [] };
        expect((await own.api.put(`/api/demand/sources/${dspId}/strategy`, strategy)).status).to.equal(200);
        for (const name of ['first', 'second']) {
          expect((await own.api.post('/api/campaigns', campaign(dspId, name))).status).to.equal(201);
        }
        const once = { 'Idempotency-Key': 'the third' };
        const third = await own.api.post('/api/campaigns', campaign(dspId, 'third'), once);
        expect(third.status).to.equal(201);
        const refused = await own.api.post('/api/campaigns', campaign(dspId, 'fourth'));
        expect(errorOf(refused)).to.equal('409 CONFLICT');
        expect(refused.body.error.message).to.include('at most 3 campaigns');
        expect((await own.api.post('/api/campaigns', campaign(dspId, 'third'), once)).body).to.deep.equal(third.body);
        expect((await own.api.post('/api/campaigns', campaign(otherId, 'first'))).status).to.equal(201);
      });
    });

    describe('of API keys', () => {
      let ann: UserClient;
      let firstId: string;
      const create = (headers = {}) => ann.api.post('/api/keys', { name: 'One more', environment: 'live' }, headers);

      before(async () => {
        // It has a live and a sandbox key.
        const { accountId } = await running.newAccount();
        ann = await running.newUser(accountId);
        await often(mostKeys - 3, (index) => {
          const fields = { accountId, environment: 'live' as const, name: `Key ${index}`, hint: 'pk_live_0000' };
          return running.node.messenger.ask(apiKey, credentialId(randomUUID()), 'create', fields);
        });
        firstId = (await ann.api.get('/api/keys')).body.keys[0].id;
      });

      it('counts those that have not ended', async () => {
        const once = { 'Idempotency-Key': 'the last' };
        const last = await create(once);
        expect(last.status).to.equal(201);
        const refused = await create();
        expect(errorOf(refused)).to.equal('409 CONFLICT');
        expect(refused.body.error.message).to.include('1,000');
        expect((await create(once)).body).to.deep.equal(last.body);

        const overlapping = await ann.api.post(`/api/keys/${firstId}/rotate`, { overlap_seconds: 60 });
        expect(errorOf(overlapping)).to.equal('409 CONFLICT');
        const rotated = await ann.api.post(`/api/keys/${firstId}/rotate`, {});
        expect(rotated.status).to.equal(201);
        expect(errorOf(await create())).to.equal('409 CONFLICT');
        await ann.api.delete(`/api/keys/${rotated.body.id}`);
        expect((await create()).status).to.equal(201);
      });
    });
  });
