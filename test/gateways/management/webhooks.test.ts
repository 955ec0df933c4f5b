import { expect } from 'chai';
import type { WebhookState } from '#actors/webhook/reduce';
import { webhook } from '#actors/webhook/webhook';
import { normalWebhookUrl } from '#gateways/management/resources/webhooks/webhook';
import { webhookSealer } from '#gateways/webhooks/signing-secret';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { errorOf, type ManagementClient } from './management-client.ts';
import { type AccountClients, type RunningManagement, startManagement } from './running-management.ts';

const absentId = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
const events = ['pool.dsp_joined'];
const path = '/api/webhooks';

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/webhooks on ${pair}`, () => {
    let running: RunningManagement;
    let own: AccountClients;

    before(async function () {
      running = await startManagement(this, pair);
    });
    after(() => running?.close());
    beforeEach(async () => {
      own = await running.newAccount();
    });

    const register = async (url: string, client: ManagementClient = own.api, headers = {}) => {
      const answer = await client.post(path, { url, events }, headers);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer.body;
    };
    const stateOf = async (id: string) => {
      const [document] = await running.store.load([{ kind: webhook.kind, id }]);
      return document?.state as WebhookState;
    };

    it('are registered, listed, read, changed and deleted', async () => {
      const { secret: _, ...created } = await register('https://a.example/events');
      expect((await own.api.get(path)).body).to.deep.equal({ webhooks: [created], total: 1 });
      const read = await own.api.get(`${path}/${created.id}`);
      expect([read.body, read.headers.get('etag')]).to.deep.equal([created, '"1"']);

      const changed = await own.api.put(`${path}/${created.id}`, { events: ['publisher.verified'] });
      expect(changed.body).to.deep.equal({
        ...created,
        events: ['publisher.verified'],
        updated_at: changed.body.updated_at,
      });
      expect((await own.api.delete(`${path}/${created.id}`)).body).to.deep.equal(changed.body);
      expect((await own.api.get(path)).body).to.deep.equal({ webhooks: [], total: 0 });
      for (const gone of [created.id, absentId]) {
        expect(errorOf(await own.api.get(`${path}/${gone}`))).to.equal('404 NOT_FOUND');
        expect(errorOf(await own.api.delete(`${path}/${gone}`))).to.equal('404 NOT_FOUND');
        expect(errorOf(await own.api.put(`${path}/${gone}`, { events }))).to.equal('404 NOT_FOUND');
      }
    });

    it('show their secret once, and keep it sealed', async () => {
      const { id, secret } = await register('https://a.example/events');
      expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
      for (const answer of [await own.api.get(path), await own.api.get(`${path}/${id}`)]) {
        expect(JSON.stringify(answer.body)).not.to.contain('whsec_').and.not.to.contain('secret');
      }
      const state = await stateOf(id);
      expect(JSON.stringify(state)).not.to.contain(secret.slice('whsec_'.length));
      expect(webhookSealer(running.parts).open(state.sealedSecret)).to.equal(secret);
      expect((await register('https://a.example/other')).secret).not.to.equal(secret);
    });

    it('show the same secret again to the same request, asked again', async () => {
      const once = { 'Idempotency-Key': 'first webhook' };
      const first = await register('https://a.example/events', own.api, once);
      expect(await register('https://a.example/events', own.api, once)).to.deep.equal(first);
      expect((await own.api.get(path)).body.total).to.equal(1);
    });

    it('have a URL of their own in the account, until it is given up', async () => {
      const { id } = await register('https://a.example/Events');
      for (const same of ['https://a.example/Events', 'https://A.EXAMPLE:443/Events#part']) {
        expect(errorOf(await own.api.post(path, { url: same, events }))).to.equal('409 CONFLICT');
      }
      await register('https://a.example/events');
      await register('https://a.example/Events', (await running.newAccount()).api);
      await own.api.delete(`${path}/${id}`);
      await register('https://a.example/Events');
    });

    it('asked for at once with one URL, are one', async () => {
      const body = { url: 'https://a.example/events', events };
      const answers = await Promise.all(Array.from({ length: 5 }, () => own.api.post(path, body)));
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).to.deep.equal([201, 409, 409, 409, 409]);
    });

    it('are not the same live and in the sandbox', async () => {
      const live = await register('https://a.example/events');
      const sandbox = await register('https://a.example/events', own.sandboxApi);
      expect([live.sandbox, sandbox.sandbox]).to.deep.equal([false, true]);
      expect((await own.sandboxApi.get(path)).body.webhooks.map(({ id }: { id: string }) => id)).to.deep.equal([
        sandbox.id,
      ]);
      expect(errorOf(await own.sandboxApi.delete(`${path}/${live.id}`))).to.equal('404 NOT_FOUND');
    });

    it('of one account do not exist for another', async () => {
      const { id } = await register('https://a.example/events');
      const { api } = await running.newAccount();
      expect(errorOf(await api.get(`${path}/${id}`))).to.equal('404 NOT_FOUND');
      expect((await api.get(path)).body.total).to.equal(0);
    });

    it('change only from the revision that the caller saw', async () => {
      const { id } = await register('https://a.example/events');
      const change = (tag: string) =>
        own.api.put(`${path}/${id}`, { events: ['publisher.verified'] }, { 'If-Match': tag });
      const changed = await change('"1"');
      expect([changed.status, changed.headers.get('etag')]).to.deep.equal([200, '"2"']);
      expect(errorOf(await change('"1"'))).to.equal('412 PRECONDITION_FAILED');
      expect(errorOf(await own.api.delete(`${path}/${id}`, { 'If-Match': '"1"' }))).to.equal('412 PRECONDITION_FAILED');
    });

    const refused: readonly [string, object, string][] = [
      ['no URL', { events }, '400 INVALID_PARAMS url'],
      ['no events', { url: 'https://a.example/' }, '400 INVALID_PARAMS events'],
      ['an empty list of events', { url: 'https://a.example/', events: [] }, '400 VALIDATION_ERROR events'],
      ['an event twice', { url: 'https://a.example/', events: [...events, ...events] }, '400 VALIDATION_ERROR events'],
      ['another event', { url: 'https://a.example/', events: ['all'] }, '400 VALIDATION_ERROR events[0]'],
      ['a secret', { url: 'https://a.example/', events, secret: 'whsec_1' }, '400 VALIDATION_ERROR secret'],
      ['what is no URL', { url: 'a.example', events }, '400 VALIDATION_ERROR url'],
      [
        'a host that the DNS cannot have',
        { url: `https://${'一'.repeat(64)}.test/`, events },
        '400 VALIDATION_ERROR url',
      ],
      ['another scheme', { url: 'ftp://a.example/', events }, '400 VALIDATION_ERROR url'],
      ['a password', { url: 'https://u:p@a.example/', events }, '400 VALIDATION_ERROR url'],
      ['a private address', { url: 'http://10.0.0.1/', events }, '400 VALIDATION_ERROR url'],
      ['loopback', { url: 'http://[::1]/', events }, '400 VALIDATION_ERROR url'],
      ['loopback by name', { url: 'http://hooks.LocalHost:3000/', events }, '400 VALIDATION_ERROR url'],
    ];
    for (const [title, body, error] of refused) {
      it(`refuse ${title}`, async () => expect(errorOf(await own.api.post(path, body))).to.equal(error));
    }

    it('may be within where private networks are allowed', () => {
      expect(normalWebhookUrl('http://127.0.0.1:3000/hook', true)).to.equal('http://127.0.0.1:3000/hook');
    });
  });
