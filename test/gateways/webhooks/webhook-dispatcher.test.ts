import { expect } from 'chai';
import type { WebhookState } from '#actors/webhook/reduce';
import { webhook } from '#actors/webhook/webhook';
import { webhookQueue } from '#actors/webhook-queue/webhook-queue';
import { webhookSealer } from '#gateways/webhooks/signing-secret';
import { KindRegistry } from '#runtime/node/kind-registry';
import { eventually } from '../../support/eventually.ts';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { dispatching, path } from './dispatching.ts';
import { type Received, verify } from './receiver.ts';

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/webhooks on ${pair}`, () => {
    const at = dispatching(pair);
    const { receiver, dispatch, register, deliveriesOf, settled, happen } = at;

    it('tell of a subscription once, signed, and not of a second one', async () => {
      const to = await receiver();
      const { id, secret } = await register(to.url);
      dispatch();
      const pool = (await at.own.api.post('/api/supply/pools', { name: 'Pool' })).body.id;
      const dsp = (await at.own.api.post('/api/demand/sources', { name: 'Bidder', mode: 'delegate' })).body.id;
      for (let time = 0; time < 2; time += 1) {
        expect((await at.own.api.post(`/api/demand/sources/${dsp}/pools/${pool}`)).status).to.equal(200);
      }
      const [delivery] = await settled(id, 'delivered');
      await happen('last');
      await settled(id, 'delivered', 2);
      expect(to.received.map(({ event }) => event.data.pool_id)).to.deep.equal([pool, 'last']);
      const [first] = to.received as [Received];
      expect(first.method).to.equal('POST');
      expect(first.headers['content-type']).to.equal('application/json');
      expect(first.headers['webhook-id']).to.equal(delivery.id);
      expect(verify(first, secret)).to.deep.equal({
        type: 'pool.dsp_joined',
        timestamp: delivery.event_at,
        data: { pool_id: pool, dsp_id: dsp, dsp_name: 'Bidder', dsp_mode: 'delegate' },
      });
      expect(() => verify({ ...first, body: `${first.body} ` }, secret)).to.throw('No matching signature');
      expect(delivery).to.include({ status: 'delivered', attempt_count: 1, next_attempt_at: null });
      expect(delivery.attempts[0]).to.include({ status_code: 200, error: null });
    });

    it('replay what was delivered too, under the same id, and list it with all its attempts', async () => {
      const to = await receiver();
      const { id } = await register(to.url);
      dispatch();
      const test = await at.own.api.post(`${path}/${id}/test`);
      expect(test.body).to.include({ status: 'pending', type: 'webhook.test', webhook_id: id });
      await settled(id, 'delivered');
      await at.own.api.post(`${path}/${id}/deliveries/${test.body.id}/replay`);
      const twice = await eventually('the replay', async () => {
        const [delivery] = await deliveriesOf(id, '?status=delivered');
        return delivery?.attempt_count === 2 && delivery;
      });
      expect(to.received.map(({ headers }) => headers['webhook-id'])).to.deep.equal([twice.id, twice.id]);
      expect(to.received[0]?.event).to.deep.include({ type: 'webhook.test', data: { webhook_id: id } });
      const page = (await at.own.api.get(`${path}/${id}/deliveries?per_page=1&page=2`)).body;
      expect([page.deliveries, page.total, page.page]).to.deep.equal([[], 1, 2]);
      for (const wrong of ['evt_test_unknown', 'nothing-of-ours']) {
        expect((await at.own.api.post(`${path}/${id}/deliveries/${wrong}/replay`)).status).to.equal(404);
      }
    });

    it('tell Prometheus what waits and for how long, while they are delivered from here', async () => {
      const to = await receiver();
      to.manner = () => 'hang';
      const { id } = await register(to.url);
      const dispatcher = dispatch();
      const figure = async (name: string) => (await at.registry.getSingleMetric(name)!.get()).values[0]?.value;
      expect(await figure('webhook_queues_open')).to.equal(0);
      expect(await figure('webhook_overdue_seconds')).to.equal(0);
      await happen('p1');
      await eventually('the attempt to be under way', () => to.received.length === 1);
      at.clock.advance(60_000);
      expect(await figure('webhook_queues_open')).to.equal(1);
      expect(await figure('webhook_overdue_seconds')).to.be.within(60, 120);
      await dispatcher.close();
      expect(await figure('webhook_queues_open')).to.equal(undefined);
      expect(await figure('webhook_overdue_seconds')).to.equal(undefined);
      to.manner = () => 200;
      dispatch();
      await settled(id, 'delivered');
      expect(await figure('webhook_queues_open')).to.equal(0);
    });

    it('sign with both secrets after one was replaced', async () => {
      const to = await receiver();
      const { id, secret: former } = await register(to.url);
      const rotated = await at.own.api.post(`${path}/${id}/rotate`);
      expect([rotated.status, rotated.headers.get('etag')]).to.deep.equal([200, '"2"']);
      expect(rotated.body.secret).not.to.equal(former);
      dispatch();
      await happen('p1');
      await settled(id, 'delivered');
      const [first] = to.received as [Received];
      verify(first, former);
      verify(first, rotated.body.secret);
      at.clock.advance(86_400_000);
      await happen('p1');
      await settled(id, 'delivered', 2);
      const later = to.received[1]!;
      expect(later.headers['webhook-signature']).not.to.contain(' ');
    });

    it('sign with the current secret alone where no SECRET_KEY opens the former one', async () => {
      const to = await receiver();
      const { id } = await register(to.url);
      const [document] = await at.running.store.load([{ kind: webhook.kind, id }]);
      const from = (document!.state as WebhookState).sealedSecret;
      const sealed = webhookSealer({ secretKey: 'a master secret that is gone' }).seal('whsec_unread');
      await at.running.node.messenger.ask(webhook, id, 'reseal', { secrets: [{ from, sealed }] });
      const rotated = await at.own.api.post(`${path}/${id}/rotate`);
      dispatch();
      await happen('p1');
      await settled(id, 'delivered');
      const [first] = to.received as [Received];
      verify(first, rotated.body.secret);
      expect(first.headers['webhook-signature']).not.to.contain(' ');
    });

    it('keep sandbox and live, and the deliveries of accounts, apart', async () => {
      const [live, sandbox] = [await receiver(), await receiver()];
      const { id } = await register(live.url);
      const { id: sandboxId } = await register(sandbox.url, at.own.sandboxApi);
      dispatch();
      const pool = (await at.own.api.post('/api/supply/pools', { name: 'Pool' })).body.id;
      const dsp = (await at.own.sandboxApi.post('/api/demand/sources', { name: 'Bidder', mode: 'delegate' })).body.id;
      await at.own.sandboxApi.post(`/api/demand/sources/${dsp}/pools/${pool}`);
      await eventually('the sandbox to be told', () => sandbox.received.length === 1);
      expect(live.received).to.deep.equal([]);
      await eventually('its record', async () => {
        const { body } = await at.own.sandboxApi.get(`${path}/${sandboxId}/deliveries`);
        return body.total === 1;
      });
      expect((await at.own.sandboxApi.get(`${path}/${id}/deliveries`)).status).to.equal(404);
      const stranger = await at.running.newAccount();
      for (const one of [id, sandboxId]) {
        expect((await stranger.api.get(`${path}/${one}/deliveries`)).status).to.equal(404);
        expect((await stranger.api.post(`${path}/${one}/test`)).status).to.equal(404);
      }
    });

    it('never lead into private networks where that is not allowed, by literal, by name or by redirect', async () => {
      const to = await receiver();
      const inside = [
        to.url,
        to.url.replace('127.0.0.1', 'localhost'),
        to.url.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
      ];
      dispatch({ allowPrivateNetworks: false });
      for (const url of inside) {
        const { id } = await register(url);
        const test = (await at.own.api.post(`${path}/${id}/test`)).body.id;
        const tried = await eventually('an attempt', async () => {
          const found = (await deliveriesOf(id)).find((one: { id: string }) => one.id === test);
          return found?.attempt_count > 0 && found;
        });
        expect(tried.attempts[0]).to.include({
          status_code: null,
          error: 'the URL leads to an address that is not of the public Internet',
        });
      }
      expect(to.received).to.deep.equal([]);
    });

    it('receive events too when an older release has registered them', async () => {
      const to = await receiver();
      const { id } = await register(to.url);
      const {
        enrolled: _,
        formerSecret,
        disabledAt,
        disabledReason,
        ...asOfOld
      } = (await at.running.store.load([{ kind: webhook.kind, id }]))[0]!.state as WebhookState;
      expect([formerSecret, disabledAt, disabledReason]).to.deep.equal([null, null, null]);
      const older = '0'.repeat(8) + id.slice(8);
      const [outcome] = await at.running.store.save([
        {
          kind: webhook.kind,
          id: older,
          // Its partition does not matter to a reader, but to its owner.
          partition: new KindRegistry([webhook], at.running.node.partitions).partitionOf(`${webhook.kind}/${older}`),
          version: 1,
          writer: 'an older release',
          position: '0-0',
          schema: 1,
          deleted: false,
          state: asOfOld,
          outbox: [],
          viewPending: false,
          received: {},
          replies: {},
          published: null,
        },
      ]);
      expect(outcome).to.equal('saved');
      await at.own.api.delete(`${path}/${id}`);
      dispatch();
      await eventually('the older one to be told', async () => {
        await happen('p1');
        return to.received.length > 0;
      });
      await eventually('it to be listed', async () => (await deliveriesOf(older, '?status=delivered')).length > 0);
    });

    it('lose what was open when they are deleted, and nothing else', async () => {
      const to = await receiver();
      to.manner = () => 500;
      const { id } = await register(to.url);
      dispatch();
      await happen('p1');
      await eventually('the first attempt', () => to.received.length > 0);
      await at.own.api.delete(`${path}/${id}`);
      await eventually('its lane to be empty', async () => {
        const [lane] = await at.running.store.load([{ kind: webhookQueue.kind, id }]);
        return lane?.state ? (lane.state as { open: unknown[] }).open.length === 0 : false;
      });
    });
  });
