import { expect } from 'chai';
import type { WebhookState } from '../../../actors/webhook/reduce.ts';
import { webhook } from '../../../actors/webhook/webhook.ts';
import { webhookLane } from '../../../actors/webhook-lane/webhook-lane.ts';
import { tellWebhooks } from '../../../actors/webhook-roll/tell.ts';
import { webhookRoll } from '../../../actors/webhook-roll/webhook-roll.ts';
import { Dispatcher } from '../../../gateways/webhooks/dispatcher.ts';
import { DEFAULT_DELIVERY_SETTINGS, type DeliverySettings } from '../../../gateways/webhooks/settings.ts';
import type { Messenger } from '../../../runtime/actor/messenger.ts';
import { Kinds } from '../../../runtime/node/kinds.ts';
import { SILENT } from '../../../runtime/node/logger.ts';
import { eventually } from '../../support/eventually.ts';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { type AccountClients, type RunningManagement, startManagement } from '../management/running-management.ts';
import { AheadClock } from './ahead-clock.ts';
import { type Received, Receiver, verify } from './receiver.ts';

const path = '/api/webhooks';
const events = ['pool.dsp_joined', 'publisher.verified'];

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/webhooks on ${pair}`, function () {
    this.timeout(60_000);
    let running: RunningManagement;
    let own: AccountClients;
    let clock: AheadClock;
    const opened: { close(): Promise<void> }[] = [];

    before(async function () {
      running = await startManagement(this, pair, { settings: { allowPrivateNetworks: true } });
    });
    after(() => running?.close());
    beforeEach(async () => {
      clock = new AheadClock();
      own = await running.newAccount();
    });
    afterEach(async () => {
      for (const one of opened.splice(0).reverse()) await one.close();
    });

    const receiver = async () => {
      const one = await Receiver.open();
      opened.push(one);
      return one;
    };
    const dispatch = (settings: Partial<DeliverySettings> = {}, messenger: Messenger = running.node.messenger) => {
      const dispatcher = new Dispatcher({
        messenger,
        store: running.store,
        secretKey: running.parts.secretKey,
        settings: {
          ...DEFAULT_DELIVERY_SETTINGS,
          allowPrivateNetworks: true,
          pollMs: 20,
          // As time goes on at a bound here, no attempt is to be cut short by it.
          acknowledgeMs: 86_400_000 * 2,
          ...settings,
        },
        clock,
        logger: SILENT,
      }).start();
      opened.push(dispatcher);
      return dispatcher;
    };
    const register = async (url: string, client = own.api) => {
      const answer = await client.post(path, { url, events });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer.body as { id: string; secret: string };
    };
    const deliveriesOf = async (id: string, query = '') =>
      (await own.api.get(`${path}/${id}/deliveries${query}`)).body.deliveries;
    const settled = (id: string, status: string, count = 1) =>
      eventually(
        `${count} deliveries to be ${status}`,
        async () => {
          const listed = await deliveriesOf(id, `?status=${status}`);
          return listed.length === count && listed;
        },
        { timeoutMs: 20_000 },
      );
    /** An event about a pool, from a source that is no actor here. */
    let position = 0;
    const happen = async (pool: string, accountId = own.accountId) => {
      position += 1;
      const context = {
        id: 'test',
        address: 'dsp/test',
        nowMs: Date.now(),
        position: `${Date.now()}-${position}`,
        random: Math.random,
      };
      const data = { pool_id: pool, dsp_id: String(position), dsp_name: 'Bidder', dsp_mode: 'rtb' as const };
      const { body } = tellWebhooks(
        { accountId, partnerId: null, sandbox: false, type: 'pool.dsp_joined', resource: `pool/${pool}`, data },
        context,
      );
      await running.node.messenger.ask(webhookRoll, accountId, 'happened', body as never);
      return String(position);
    };
    const told = ({ received }: Receiver) => received.map(({ event }) => event.data.dsp_id);
    /** Time goes on until it has been asked so often. */
    const pressOn = async (what: string, done: () => boolean | Promise<boolean>, byMs = 500) => {
      await eventually(
        what,
        async () => {
          if (await done()) return true;
          clock.advance(byMs);
          return false;
        },
        { timeoutMs: 20_000, everyMs: 30 },
      );
    };

    it('tell of a subscription once, signed, and not of a second one', async () => {
      const to = await receiver();
      const { id, secret } = await register(to.url);
      dispatch();
      const pool = (await own.api.post('/api/supply/pools', { name: 'Pool' })).body.id;
      const dsp = (await own.api.post('/api/demand/sources', { name: 'Bidder', mode: 'delegate' })).body.id;
      for (let time = 0; time < 2; time += 1) {
        expect((await own.api.post(`/api/demand/sources/${dsp}/pools/${pool}`)).status).to.equal(200);
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

    const refusals: [string, Receiver['manner'], number | null, RegExp][] = [
      ['another 2xx', () => 204, 204, /only 200/],
      ['201', () => 201, 201, /only 200/],
      ['a redirect', () => 302, 302, /not followed/],
      ['an error', () => 500, 500, /^answered 500$/],
      ['a broken connection', () => 'die', null, /could not be reached/],
      ['silence for the time there is', () => 'hang', null, /no answer within 0.2 s/],
    ];
    for (const [title, manner, status, error] of refusals) {
      it(`try six times and give up after ${title}`, async () => {
        const to = await receiver();
        to.manner = manner;
        const hangs = title.startsWith('silence');
        const { id } = await register(to.url);
        dispatch(hangs ? { acknowledgeMs: 200 } : {});
        await happen('p1');
        await pressOn('six attempts', async () => (await deliveriesOf(id, '?status=dead')).length === 1, 400);
        const [delivery] = await settled(id, 'dead');
        expect(delivery.attempt_count).to.equal(6);
        // Time that goes on so fast may end an attempt before it has begun.
        if (!hangs) expect(to.received).to.have.length(6);
        expect(new Set(to.received.map(({ headers }) => headers['webhook-id'])).size).to.equal(1);
        expect(new Set(to.received.map(({ body }) => body)).size).to.equal(1);
        expect(to.received.every(({ url }) => url === '/events')).to.equal(true);
        for (const attempt of delivery.attempts) {
          expect(attempt.status_code).to.equal(status);
          expect(attempt.error).to.match(error);
        }
        for (const [index, waitMs] of [1000, 2000, 4000, 8000, 16_000].entries()) {
          const [before, after] = delivery.attempts.slice(index, index + 2);
          const waited = Date.parse(after.ended_at) - Date.parse(before.ended_at);
          expect(waited, `wait ${index + 1}`).to.be.at.least(waitMs * 0.8 - 1);
        }
      });
    }

    it('give a receiver five seconds, by the real clock', async () => {
      const to = await receiver();
      to.manner = (_, before) => (before === 0 ? 'hang' : 200);
      const { id } = await register(to.url);
      dispatch({ acknowledgeMs: DEFAULT_DELIVERY_SETTINGS.acknowledgeMs });
      const began = performance.now();
      await happen('p1');
      const [{ attempts }] = await settled(id, 'delivered');
      expect(performance.now() - began).to.be.at.least(5_800);
      expect(attempts.map(({ error }: { error: string | null }) => error)).to.deep.equal([
        'no answer within 5 s',
        null,
      ]);
      expect(attempts[0].latency_ms).to.be.within(4_990, 7_000);
    });

    it('keep the order of what is about one resource while an earlier event is being tried', async () => {
      const to = await receiver();
      let failures = 3;
      to.manner = ({ event }) => (event.data.pool_id === 'slow' && failures-- > 0 ? 500 : 200);
      const { id } = await register(to.url);
      dispatch();
      const slow = [await happen('slow'), await happen('slow'), await happen('slow')];
      const other = await happen('other');
      await eventually('the other resource to be told', () => told(to).includes(other));
      expect(told(to)).not.to.include(slow[1]);
      await pressOn('all to be told', async () => (await deliveriesOf(id, '?status=delivered')).length === 4);
      expect(told(to).filter((one) => slow.includes(one))).to.deep.equal([slow[0], slow[0], slow[0], ...slow]);
    });

    it('do not wait for each other: one hangs, all others are told', async () => {
      const hanging = await receiver();
      hanging.manner = () => 'hang';
      const well = await receiver();
      await register(hanging.url);
      const [webhooks, pools] = pair === 'embedded' ? [98, 8] : [12, 6];
      for (let number = 0; number < webhooks; number += 1) await register(`${well.url}/${number}`);
      for (let number = 0; number < pools; number += 1) await happen(`p${number}`);
      dispatch();
      // One whose lane could not be told in time is told of it again.
      const toldOnce = () => new Set(well.received.map(({ url, event }) => `${url} ${event.data.dsp_id}`)).size;
      await eventually('all but one to be told', () => toldOnce() === webhooks * pools, {
        timeoutMs: 50_000,
        everyMs: 50,
      });
      expect(hanging.received.length).to.be.within(1, DEFAULT_DELIVERY_SETTINGS.atOncePerWebhook);
    });

    it('repeat under the same id what was sent by a worker that died before it could say so', async () => {
      const to = await receiver();
      const { id, secret } = await register(to.url);
      let bury: (reason: Error) => void = () => {};
      const unanswered = new Promise<never>((_, reject) => {
        bury = reject;
      });
      unanswered.catch(() => undefined);
      const deaf = {
        ...running.node.messenger,
        tell: running.node.messenger.tell.bind(running.node.messenger),
        ask: () => unanswered,
      } as unknown as Messenger;
      let dead = false;
      const dying = new Dispatcher({
        messenger: deaf,
        store: {
          load: (keys) => running.store.load(keys),
          query: async (kind, query) => (dead ? { documents: [], total: 0 } : running.store.query(kind, query)),
        },
        secretKey: running.parts.secretKey,
        settings: { ...DEFAULT_DELIVERY_SETTINGS, allowPrivateNetworks: true, pollMs: 20 },
        clock,
        logger: SILENT,
      });
      dying.start();
      // Not closed before the test ends: what it had under way is forgotten with it.
      opened.push({
        close: () => {
          bury(new Error('its worker is dead'));
          return dying.close();
        },
      });
      await happen('p1');
      await eventually('the first POST', () => to.received.length === 1);
      dead = true;
      dispatch();
      const [delivery] = await settled(id, 'delivered');
      expect(to.received.map(({ headers }) => headers['webhook-id'])).to.deep.equal([delivery.id, delivery.id]);
      for (const one of to.received) verify(one, secret);
      expect(delivery.attempt_count).to.equal(1);
    });

    it('keep the schedule of retries when another worker takes over', async () => {
      const to = await receiver();
      to.manner = (_, before) => (before < 2 ? 500 : 200);
      const { id } = await register(to.url);
      const first = dispatch();
      await happen('p1');
      const attemptsMade = async (count: number) => (await deliveriesOf(id))?.[0]?.attempt_count === count;
      await pressOn('the second attempt', () => attemptsMade(2));
      const [{ next_attempt_at: due }] = await deliveriesOf(id);
      await first.close();
      dispatch();
      await pressOn('the third attempt', () => attemptsMade(3), 100);
      const [{ attempts }] = await settled(id, 'delivered');
      expect(Date.parse(attempts[2].ended_at)).to.be.at.least(Date.parse(due));
    });

    it('are disabled after a day of failures, and told again once they are active again', async () => {
      const to = await receiver();
      to.manner = () => 500;
      const { id } = await register(to.url);
      dispatch();
      await happen('p1');
      await pressOn('the first to be given up', async () => (await deliveriesOf(id, '?status=dead')).length === 1);
      expect((await own.api.get(`${path}/${id}`)).body).to.include({ status: 'active', disabled_at: null });
      clock.advance(86_400_000);
      await happen('p1');
      const disabled = async () => (await own.api.get(`${path}/${id}`)).body;
      await pressOn('it to be disabled', async () => (await disabled()).status === 'disabled');
      const { disabled_at: at, disabled_reason: reason } = await disabled();
      expect(Date.parse(at)).to.be.greaterThan(0);
      expect(reason).to.match(/^Nothing was acknowledged since .*answered 500$/);
      const refused = await own.api.post(`${path}/${id}/test`);
      expect([refused.status, refused.body.error.code]).to.deep.equal([409, 'CONFLICT']);

      to.manner = () => 200;
      const before = to.received.length;
      await happen('p1');
      const active = await own.api.put(`${path}/${id}`, { status: 'active' });
      expect(active.body).to.include({ status: 'active', disabled_at: null, disabled_reason: null });
      const [dead] = await deliveriesOf(id, '?status=dead');
      expect((await own.api.post(`${path}/${id}/deliveries/${dead.id}/replay`)).body.status).to.equal('pending');
      await settled(id, 'delivered');
      expect(to.received.slice(before).map(({ headers }) => headers['webhook-id'])).to.deep.equal([dead.id]);
    });

    it('replay what was delivered too, under the same id, and list it with all its attempts', async () => {
      const to = await receiver();
      const { id } = await register(to.url);
      dispatch();
      const test = await own.api.post(`${path}/${id}/test`);
      expect(test.body).to.include({ status: 'pending', type: 'webhook.test', webhook_id: id });
      await settled(id, 'delivered');
      await own.api.post(`${path}/${id}/deliveries/${test.body.id}/replay`);
      const twice = await eventually('the replay', async () => {
        const [delivery] = await deliveriesOf(id, '?status=delivered');
        return delivery?.attempt_count === 2 && delivery;
      });
      expect(to.received.map(({ headers }) => headers['webhook-id'])).to.deep.equal([twice.id, twice.id]);
      expect(to.received[0]?.event).to.deep.include({ type: 'webhook.test', data: { webhook_id: id } });
      const page = (await own.api.get(`${path}/${id}/deliveries?per_page=1&page=2`)).body;
      expect([page.deliveries, page.total, page.page]).to.deep.equal([[], 1, 2]);
      for (const wrong of ['evt_test_unknown', 'nothing-of-ours']) {
        expect((await own.api.post(`${path}/${id}/deliveries/${wrong}/replay`)).status).to.equal(404);
      }
    });

    it('sign with both secrets after one was replaced', async () => {
      const to = await receiver();
      const { id, secret: former } = await register(to.url);
      const rotated = await own.api.post(`${path}/${id}/rotate`);
      expect([rotated.status, rotated.headers.get('etag')]).to.deep.equal([200, '"2"']);
      expect(rotated.body.secret).not.to.equal(former);
      dispatch();
      await happen('p1');
      await settled(id, 'delivered');
      const [first] = to.received as [Received];
      verify(first, former);
      verify(first, rotated.body.secret);
      clock.advance(86_400_000);
      await happen('p1');
      await settled(id, 'delivered', 2);
      const later = to.received[1]!;
      expect(later.headers['webhook-signature']).not.to.contain(' ');
    });

    it('keep sandbox and live, and the deliveries of accounts, apart', async () => {
      const [live, sandbox] = [await receiver(), await receiver()];
      const { id } = await register(live.url);
      const { id: sandboxId } = await register(sandbox.url, own.sandboxApi);
      dispatch();
      const pool = (await own.api.post('/api/supply/pools', { name: 'Pool' })).body.id;
      const dsp = (await own.sandboxApi.post('/api/demand/sources', { name: 'Bidder', mode: 'delegate' })).body.id;
      await own.sandboxApi.post(`/api/demand/sources/${dsp}/pools/${pool}`);
      await eventually('the sandbox to be told', () => sandbox.received.length === 1);
      expect(live.received).to.deep.equal([]);
      await eventually('its record', async () => {
        const { body } = await own.sandboxApi.get(`${path}/${sandboxId}/deliveries`);
        return body.total === 1;
      });
      expect((await own.sandboxApi.get(`${path}/${id}/deliveries`)).status).to.equal(404);
      const stranger = await running.newAccount();
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
        const test = (await own.api.post(`${path}/${id}/test`)).body.id;
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

    it('are told of events too when an older release has registered them', async () => {
      const to = await receiver();
      const { id } = await register(to.url);
      const {
        enrolled: _,
        formerSecret,
        disabledAt,
        disabledReason,
        ...asOfOld
      } = (await running.store.load([{ kind: webhook.kind, id }]))[0]!.state as WebhookState;
      expect([formerSecret, disabledAt, disabledReason]).to.deep.equal([null, null, null]);
      const older = '0'.repeat(8) + id.slice(8);
      const [outcome] = await running.store.save([
        {
          kind: webhook.kind,
          id: older,
          // Where it lives does not matter to whoever reads it, but to whoever owns it.
          partition: new Kinds([webhook], running.node.partitions).partitionOf(`${webhook.kind}/${older}`),
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
      await own.api.delete(`${path}/${id}`);
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
      await own.api.delete(`${path}/${id}`);
      await eventually('its lane to be empty', async () => {
        const [lane] = await running.store.load([{ kind: webhookLane.kind, id }]);
        return lane?.state ? (lane.state as { open: unknown[] }).open.length === 0 : false;
      });
    });
  });
