import { expect } from 'chai';
import type { WebhookState } from '#actors/webhook/reduce';
import { webhook } from '#actors/webhook/webhook';
import { webhookQueue } from '#actors/webhook-queue/webhook-queue';
import { DEFAULT_DELIVERY_SETTINGS } from '#gateways/webhooks/settings';
import { webhookSealer } from '#gateways/webhooks/signing-secret';
import { WebhookDispatcher } from '#gateways/webhooks/webhook-dispatcher';
import type { Logger } from '#runtime/actor/logger';
import type { Messenger } from '#runtime/actor/messenger';
import { SILENT } from '#runtime/node/logger';
import { eventually } from '../../support/eventually.ts';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { dispatching, path, told } from './dispatching.ts';
import { type Receiver, verify } from './receiver.ts';

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/webhooks on ${pair}`, () => {
    const at = dispatching(pair);
    const { receiver, dispatch, register, deliveriesOf, settled, happen, pressOn, opened } = at;

    /** What a dispatcher logs, as `level message`. */
    const logging = () => {
      const lines: string[] = [];
      const add = (level: string) => (_: object, message: string) => lines.push(`${level} ${message}`);
      const logger: Logger = { debug: add('debug'), info: add('info'), warn: add('warn'), error: add('error') };
      return { lines, logger };
    };
    const reseal = async (id: string, text: string, secretKey = at.running.parts.secretKey) => {
      const [document] = await at.running.store.load([{ kind: webhook.kind, id }]);
      const from = (document!.state as WebhookState).sealedSecret;
      const sealed = webhookSealer({ secretKey }).seal(text);
      await at.running.node.messenger.ask(webhook, id, 'reseal', { secrets: [{ from, sealed }] });
    };

    const unmade: [string, (id: string) => Promise<void>, RegExp, RegExp][] = [
      [
        'whose secret no SECRET_KEY opens',
        (id) => reseal(id, 'whsec_unread', 'a master secret that is gone'),
        /sealed under another SECRET_KEY; rotate it$/,
        /^error the signing secret of a webhook was sealed under an unknown SECRET_KEY/,
      ],
      [
        'that cannot be signed',
        (id) => reseal(id, ''),
        /an internal error/,
        /^error an attempt at a webhook was not made/,
      ],
    ];
    for (const [title, damage, error, line] of unmade) {
      it(`record, log and give up a delivery ${title} as any other that fails`, async () => {
        const to = await receiver();
        const { id } = await register(to.url);
        await damage(id);
        const { lines, logger } = logging();
        dispatch({}, { logger });
        await happen('p1');
        await pressOn('six attempts', async () => (await deliveriesOf(id, '?status=dead')).length === 1);
        const [{ attempts, attempt_count: count }] = await settled(id, 'dead');
        expect([count, to.received.length]).to.deep.equal([6, 0]);
        for (const attempt of attempts) {
          expect(attempt.status_code).to.equal(null);
          expect(attempt.error).to.match(error);
        }
        expect(
          lines.some((one) => line.test(one)),
          lines.join('\n'),
        ).to.equal(true);
      });
    }

    it('log what fails without a record, and do not repeat it at every poll', async () => {
      const to = await receiver();
      const { id } = await register(to.url);
      await happen('p1');
      await eventually('the event to be queued', async () => (await deliveriesOf(id)).length === 1);
      const abandoned: string[] = [];
      let polls = 0;
      const { messenger } = at.running.node;
      const away = {
        ask: async (_: unknown, queue: string, type: string) => {
          if (queue === id) abandoned.push(type);
          throw new Error('the log is away');
        },
        tell: messenger.tell.bind(messenger),
      } as unknown as Messenger;
      const { lines, logger } = logging();
      dispatch(
        {},
        {
          ...{ messenger: away, logger },
          store: {
            load: async (keys) => keys.map(() => null),
            query: (kind, query) => {
              if (kind === webhookQueue.kind && query.limit !== 1) polls += 1;
              return at.running.store.query(kind, query);
            },
          },
        },
      );
      await eventually('ten polls', () => polls >= 10);
      expect(abandoned).to.deep.equal(['abandon']);
      expect(lines).to.include('warn a delivery to a webhook failed without a record; it is begun again');
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
        await pressOn('six attempts', async () => (await deliveriesOf(id, '?status=dead')).length === 1);
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

    it('give a receiver five seconds', async () => {
      const to = await receiver();
      to.manner = (_, before) => (before === 0 ? 'hang' : 200);
      const { id } = await register(to.url);
      dispatch({ acknowledgeMs: DEFAULT_DELIVERY_SETTINGS.acknowledgeMs });
      await happen('p1');
      await eventually('the first POST', () => to.received.length === 1);
      // Its report is on its way while time goes on, so that the second may be made by the next question.
      await eventually('the first attempt to end', async () => {
        at.clock.advance(100);
        return (await deliveriesOf(id))[0].attempt_count >= 1;
      });
      await pressOn('the second attempt', () => to.received.length === 2);
      const [{ attempts }] = await settled(id, 'delivered');
      expect(attempts.map(({ error }: { error: string | null }) => error)).to.deep.equal([
        'no answer within 5 s',
        null,
      ]);
      expect(attempts[0].latency_ms).to.be.within(4_990, 7_000);
      expect(Date.parse(attempts[1].ended_at) - Date.parse(attempts[0].ended_at)).to.be.at.least(799);
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

    it('do not wait for each other: one hangs, all others receive their events', async () => {
      const hanging = await receiver();
      hanging.manner = () => 'hang';
      const well = await receiver();
      await register(hanging.url);
      const [webhooks, pools] = pair === 'embedded' ? [98, 8] : [12, 6];
      for (let number = 0; number < webhooks; number += 1) await register(`${well.url}/${number}`);
      for (let number = 0; number < pools; number += 1) await happen(`p${number}`);
      dispatch();
      // An attempt that could not be reported to its queue in time is reported again.
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
        ...at.running.node.messenger,
        tell: at.running.node.messenger.tell.bind(at.running.node.messenger),
        ask: () => unanswered,
      } as unknown as Messenger;
      let dead = false;
      const dying = new WebhookDispatcher({
        messenger: deaf,
        store: {
          load: (keys) => at.running.store.load(keys),
          query: async (kind, query) => (dead ? { documents: [], total: 0 } : at.running.store.query(kind, query)),
        },
        secretKey: at.running.parts.secretKey,
        settings: { ...DEFAULT_DELIVERY_SETTINGS, allowPrivateNetworks: true, pollMs: 20 },
        clock: at.clock,
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
      // The third attempt ends with the second worker alone: time goes on so fast that the first would make it, too.
      let takenOver = false;
      to.manner = (_, before) => {
        if (before < 2) return 500;
        return takenOver ? 200 : 'hang';
      };
      const { id } = await register(to.url);
      const first = dispatch();
      await happen('p1');
      let due = '';
      const attemptsMade = async (count: number) => {
        const delivery = (await deliveriesOf(id))?.[0];
        if (delivery?.attempt_count !== count) return false;
        due = delivery.next_attempt_at ?? due;
        return true;
      };
      await pressOn('the second attempt', () => attemptsMade(2));
      expect(due).not.to.equal('');
      await first.close();
      takenOver = true;
      dispatch();
      await pressOn('the third attempt', () => attemptsMade(3));
      const [{ attempts }] = await settled(id, 'delivered');
      expect(Date.parse(attempts[2].ended_at)).to.be.at.least(Date.parse(due));
    });

    it('are disabled after a day of failures, and receive events again once they are active', async () => {
      const to = await receiver();
      to.manner = () => 500;
      const { id } = await register(to.url);
      dispatch();
      await happen('p1');
      await pressOn('the first to be given up', async () => (await deliveriesOf(id, '?status=dead')).length === 1);
      expect((await at.own.api.get(`${path}/${id}`)).body).to.include({ status: 'active', disabled_at: null });
      at.clock.advance(86_400_000);
      await happen('p1');
      const disabled = async () => (await at.own.api.get(`${path}/${id}`)).body;
      await pressOn('it to be disabled', async () => (await disabled()).status === 'disabled');
      const { disabled_at: since, disabled_reason: reason } = await disabled();
      expect(Date.parse(since)).to.be.greaterThan(0);
      expect(reason).to.match(/^Nothing was acknowledged since .*answered 500$/);
      const refused = await at.own.api.post(`${path}/${id}/test`);
      expect([refused.status, refused.body.error.code]).to.deep.equal([409, 'CONFLICT']);

      to.manner = () => 200;
      const before = to.received.length;
      await happen('p1');
      const active = await at.own.api.put(`${path}/${id}`, { status: 'active' });
      expect(active.body).to.include({ status: 'active', disabled_at: null, disabled_reason: null });
      const [dead] = await deliveriesOf(id, '?status=dead');
      expect((await at.own.api.post(`${path}/${id}/deliveries/${dead.id}/replay`)).body.status).to.equal('pending');
      await settled(id, 'delivered');
      expect(to.received.slice(before).map(({ headers }) => headers['webhook-id'])).to.deep.equal([dead.id]);
    });
  });
