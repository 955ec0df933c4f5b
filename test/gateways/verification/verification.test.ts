import { expect } from 'chai';
import { verifyDueSources } from '#gateways/verification/verify-due-sources';
import { DEFAULT_DELIVERY_SETTINGS } from '#gateways/webhooks/settings';
import { WebhookDispatcher } from '#gateways/webhooks/webhook-dispatcher';
import { SILENT } from '#runtime/node/logger';
import { systemClock } from '#runtime/providers/system/system-clock';
import { verifySources } from '#scheduler/jobs/verify-sources';
import { eventually } from '../../support/eventually.ts';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { type AccountClients, type RunningManagement, startManagement } from '../management/running-management.ts';
import { Receiver, verify } from '../webhooks/receiver.ts';
import { answer, WebOfHosts } from './web-of-hosts.ts';

const DAY_MS = 86_400_000;
const exchangeDomain = 'exchange.example';

for (const pair of PROVIDER_PAIRS)
  describe(`verification of supply sources on ${pair}`, () => {
    let running: RunningManagement;
    let own: AccountClients;
    let hosts: WebOfHosts;
    let dispatcher: WebhookDispatcher;
    let receiver: Receiver;
    let secret: string;

    before(async function () {
      hosts = await WebOfHosts.open();
      running = await startManagement(this, pair, {
        settings: { exchangeDomain, allowPrivateNetworks: true },
        verification: { exchangeDomain, allowPrivateNetworks: true, connect: hosts.connect },
      });
      const { messenger } = running.node;
      dispatcher = new WebhookDispatcher({
        messenger,
        store: running.store,
        secretKey: running.parts.secretKey,
        settings: { ...DEFAULT_DELIVERY_SETTINGS, allowPrivateNetworks: true, pollMs: 20 },
        clock: systemClock,
        logger: SILENT,
      }).start();
    });
    after(async () => {
      await dispatcher?.close();
      await running?.close();
      await hosts?.close();
    });
    beforeEach(async () => {
      own = await running.newAccount();
      receiver = await Receiver.open();
      const events = ['publisher.verified', 'publisher.verification_failed'];
      secret = (await own.api.post('/api/webhooks', { url: receiver.url, events })).body.secret;
    });
    afterEach(() => receiver.close());

    const create = async (domain: string, fields: object = {}) =>
      (await own.api.post('/api/supply/sources', { name: domain, domain, type: 'web', ...fields })).body.id as string;
    const verification = async (id: string) => (await own.api.get(`/api/supply/sources/${id}/verification`)).body;
    const runJob = (nowMs = Date.now()) =>
      verifySources({
        verifyDue: (atMs, stop) =>
          verifyDueSources({ verifier: running.verifier, store: running.store, logger: SILENT }, atMs, stop),
      }).run({ dueMs: nowMs, nowMs, signal: new AbortController().signal });

    it('shows nothing found out, what the file should say, then what it says', async () => {
      const id = await create('shown.com');
      const before = await verification(id);
      expect(before).to.include({
        status: 'unverified',
        expected_line: `${exchangeDomain}, ${id}, DIRECT`,
        file_url: null,
      });
      hosts.pages.set('https://shown.com/ads.txt', `${before.expected_line}\nOWNERDOMAIN=owner.com`);
      const verified = await own.api.post(`/api/supply/sources/${id}/verify`);
      expect(verified.status, JSON.stringify(verified.body)).to.equal(200);
      expect(verified.body).to.include({
        status: 'verified',
        relationship: 'DIRECT',
        file_url: 'https://shown.com/ads.txt',
        owner_domain: 'owner.com',
        reason: null,
      });
      expect(verified.body.warnings).to.deep.equal(['owner_domain_differs']);
      expect(await verification(id)).to.deep.equal(verified.body);
      await eventually('the event', () => receiver.received.length === 1);
      const [told] = receiver.received;
      expect(verify(told!, secret)).to.deep.equal({
        type: 'publisher.verified',
        timestamp: told!.event.timestamp,
        data: {
          publisher_id: id,
          publisher_name: 'shown.com',
          domain: 'shown.com',
          file_url: 'https://shown.com/ads.txt',
          relationship: 'DIRECT',
          checked_at: verified.body.checked_at,
        },
      });
    });

    it('tells of each change once, and of nothing while a file cannot be read', async () => {
      const id = await create('changing.com');
      const look = async () => (await own.api.post(`/api/supply/sources/${id}/verify`)).body.status;
      const url = 'https://changing.com/ads.txt';
      expect(await look()).to.equal('failed');
      expect(await look()).to.equal('failed');
      hosts.pages.set(url, `${exchangeDomain}, ${id}, DIRECT`);
      expect(await look()).to.equal('verified');
      hosts.pages.set(url, answer(503));
      hosts.pages.set('http://changing.com/ads.txt', answer(503));
      expect(await look()).to.equal('verified');
      expect(await verification(id)).to.include({ error: 'changing.com answered 503' });
      hosts.pages.set(url, `${exchangeDomain}, another, DIRECT`);
      expect(await look()).to.equal('failed');
      await eventually('three events', () => receiver.received.length === 3);
      expect(receiver.received.map(({ event }) => [event.type, event.data.reason])).to.deep.equal([
        ['publisher.verification_failed', 'file_not_found'],
        ['publisher.verified', undefined],
        ['publisher.verification_failed', 'seller_id_not_listed'],
      ]);
    });

    it('looks at so many sources of an account at a time, and once for all who ask for the same', async () => {
      const waiting: (() => void)[] = [];
      const ids: string[] = [];
      for (let index = 0; index < 5; index++) {
        const domain = `slow${index}-${pair}.com`;
        ids.push(await create(domain));
        hosts.pages.set(`https://${domain}/ads.txt`, (_, response) => {
          waiting.push(() => response.writeHead(200, { 'Content-Type': 'text/plain' }).end('none'));
        });
      }
      const look = (id: string) => own.api.post(`/api/supply/sources/${id}/verify`);
      const looks = ids.slice(0, 4).map(look);
      await eventually('four looks', () => waiting.length === 4);
      const again = look(ids[0]!);
      expect((await look(ids[4]!)).status).to.equal(503);
      for (const end of waiting.splice(0)) end();
      const answers = await Promise.all([...looks, again]);
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200]);
      expect(answers[4]!.body).to.deep.equal(answers[0]!.body);
      const after = look(ids[4]!);
      await eventually('one look', () => waiting.length === 1);
      for (const end of waiting.splice(0)) end();
      expect((await after).body.status).to.equal('failed');
      for (const url of [...hosts.pages.keys()]) if (url.includes('slow')) hosts.pages.delete(url);
    });

    it('answers for sources and files that name what no URL can have', async () => {
      const id = await create(`partner-${pair}.com`);
      hosts.pages.set(`https://partner-${pair}.com/ads.txt`, 'inventorypartnerdomain=1.2.3.999\nownerdomain=xn--0.com');
      const answered = await own.api.post(`/api/supply/sources/${id}/verify`);
      expect(answered.body).to.include({ status: 'failed', reason: 'exchange_not_listed' });
      const nowhere = await create('xn--0.com');
      const failed = await own.api.post(`/api/supply/sources/${nowhere}/verify`);
      expect(failed.body).to.include({ status: 'failed', reason: 'no_domain' });
    });

    it('looks once a day at live sources, at those of another domain at once, and at none of the sandbox', async () => {
      const id = await create('daily.com');
      const sandboxId = await create('rehearsal.com', { sandbox: true });
      await runJob();
      const first = await verification(id);
      expect(first).to.include({ status: 'failed', reason: 'file_not_found' });
      expect((await verification(sandboxId)).checked_at).to.equal(null);
      hosts.asked.length = 0;
      await runJob();
      expect(hosts.asked.filter((url) => url.includes('daily.com'))).to.deep.equal([]);
      hosts.pages.set('https://moved.com/ads.txt', `${exchangeDomain}, ${id}, DIRECT`);
      await own.api.put(`/api/supply/sources/${id}`, { domain: 'moved.com' });
      expect(await verification(id)).to.include({ status: 'unverified', checked_at: null });
      await runJob();
      expect(await verification(id)).to.include({ status: 'verified', domain: 'moved.com' });
      hosts.asked.length = 0;
      await runJob(Date.now() + DAY_MS);
      expect(hosts.asked).to.include('https://moved.com/ads.txt');
    });

    it("asks for a developer's file once for all the apps", async () => {
      const ids = [];
      for (const bundle of ['com.dev.one', 'com.dev.two', 'com.dev.three']) {
        ids.push(await create(bundle, { type: 'ctv', developer_domain: 'dev-of-three.com' }));
      }
      const lines = ids.map((id) => `${exchangeDomain}, ${id}, DIRECT`);
      hosts.pages.set('https://dev-of-three.com/app-ads.txt', lines.join('\n'));
      hosts.asked.length = 0;
      await runJob();
      for (const id of ids) expect((await verification(id)).status).to.equal('verified');
      expect(hosts.asked.filter((url) => url.includes('dev-of-three'))).to.have.length(1);
    });

    it('looks at no archived source, and at none of others', async () => {
      const id = await create('archived.com');
      await own.api.delete(`/api/supply/sources/${id}`);
      const refused = await own.api.post(`/api/supply/sources/${id}/verify`);
      expect([refused.status, refused.body.error.code]).to.deep.equal([409, 'CONFLICT']);
      const { api } = await running.newAccount();
      expect((await api.post(`/api/supply/sources/${id}/verify`)).status).to.equal(404);
      expect((await api.get(`/api/supply/sources/${id}/verification`)).status).to.equal(404);
    });
  });
