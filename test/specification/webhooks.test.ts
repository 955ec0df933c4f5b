import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { ledger } from '../../actors/ledger/ledger.ts';
import { hourLedgerId } from '../../actors/ledger/ledger-id.ts';
import { MAX_DELIVERY_ATTEMPTS, retryDelayMs } from '../../actors/webhook-queue/retry-schedule.ts';
import { firstAccountId } from '../../gateways/management/bootstrap/first-account.ts';
import { DEFAULT_VERIFICATION_LIMITS } from '../../gateways/verification/settings.ts';
import { Verifier } from '../../gateways/verification/verifier.ts';
import { systemClock } from '../../runtime/providers/system/system-clock.ts';
import { WebOfHosts } from '../gateways/verification/web-of-hosts.ts';
import { Receiver, verify } from '../gateways/webhooks/receiver.ts';
import { eventually } from '../support/eventually.ts';
import { againstExchange, errorOf, TIMESTAMP, UUID } from './against-exchange.ts';
import { shows } from './shows.ts';

const MINUTE_MS = 60_000;

againstExchange('webhooks', (exchange) => {
  const receivers: Receiver[] = [];
  afterEach(async () => {
    for (const receiver of receivers.splice(0)) await receiver.close();
  });
  /** A receiver that is told of these events. */
  const told = async (...events: string[]) => {
    const receiver = await Receiver.open();
    receivers.push(receiver);
    const registered = await exchange.call('POST', '/api/webhooks', { url: receiver.url, events });
    expect(registered.status, JSON.stringify(registered.body)).to.equal(201);
    return { receiver, id: registered.body.id as string, secret: registered.body.secret as string };
  };

  shows('webhook.register', async () => {
    const url = 'https://publisher.example/events';
    const events = [
      'publisher.verified',
      'publisher.verification_failed',
      'publisher.fill_rate_alert',
      'pool.dsp_joined',
    ];
    const registered = await exchange.call('POST', '/api/webhooks', { url, events });
    expect(registered.status, JSON.stringify(registered.body)).to.equal(201);
    const { id, secret, created_at: createdAt, ...rest } = registered.body;
    expect(id).to.match(UUID);
    expect(createdAt).to.match(TIMESTAMP);
    expect(rest).to.include({ url, status: 'active' });
    expect(rest.events).to.deep.equal(events);
    expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).to.have.length.within(24, 64);
    const { webhooks } = (await exchange.get('/api/webhooks')).body;
    expect(webhooks.map((webhook: { id: string }) => webhook.id)).to.deep.equal([id]);

    const unknown = { url: `${url}/other`, events: ['publisher.created'] };
    expect(errorOf(await exchange.call('POST', '/api/webhooks', unknown))).to.equal('400 VALIDATION_ERROR events[0]');
    expect(errorOf(await exchange.call('POST', '/api/webhooks', { events }))).to.equal('400 INVALID_PARAMS url');
    expect((await exchange.call('DELETE', `/api/webhooks/${id}`)).status).to.equal(200);
  });

  shows(['webhook.pool.dsp_joined', 'webhook.post', 'webhook.signature'], async () => {
    const { receiver, secret } = await told('pool.dsp_joined');
    const pool = (await exchange.create('/api/supply/pools', {})).id;
    const dsp = await exchange.create('/api/demand/sources', { mode: 'delegate' });
    const last = await exchange.create('/api/demand/sources', { mode: 'delegate' });
    for (const id of [dsp.id, dsp.id, last.id]) {
      expect((await exchange.call('POST', `/api/demand/sources/${id}/pools/${pool}`)).status).to.equal(200);
    }
    await eventually('the last to be told', () => receiver.received.some(({ event }) => event.data.dsp_id === last.id));
    expect(receiver.received.map(({ event }) => event.data.dsp_id)).to.deep.equal([dsp.id, last.id]);
    const [first] = receiver.received;
    expect(first?.method).to.equal('POST');
    expect(first?.headers['content-type']).to.equal('application/json');
    expect(verify(first!, secret)).to.deep.equal({
      type: 'pool.dsp_joined',
      timestamp: first?.event.timestamp,
      data: { pool_id: pool, dsp_id: dsp.id, dsp_name: dsp.name, dsp_mode: 'delegate' },
    });
    expect(() => verify({ ...first!, body: first!.body.replace(pool, randomUUID()) }, secret)).to.throw();
  });

  shows(['webhook.ack', 'webhook.retry', 'limit.webhook-ack', 'error.backoff', 'error.500.backoff'], async () => {
    const { receiver, id } = await told('pool.dsp_joined');
    const at: number[] = [];
    receiver.manner = (_, before) => {
      at.push(performance.now());
      return ([204, 'hang', 500] as const)[before] ?? 200;
    };
    expect((await exchange.call('POST', `/api/webhooks/${id}/test`)).status).to.equal(201);
    const path = `/api/webhooks/${id}/deliveries?status=delivered`;
    const [delivery] = await eventually(
      'the fourth attempt to be acknowledged',
      async () => {
        const { deliveries } = (await exchange.get(path)).body;
        return deliveries.length === 1 && deliveries;
      },
      { timeoutMs: 18_000, everyMs: 50 },
    );
    expect(delivery.attempts.map((attempt: { status_code: number | null }) => attempt.status_code)).to.deep.equal([
      204,
      null,
      500,
      200,
    ]);
    expect(delivery.attempts[1].error).to.equal('no answer within 5 s');
    const gaps = at.slice(1).map((ms, index) => ms - at[index]!);
    // Between the first and the second attempt a second; then five without an answer, and two; then four.
    for (const [index, seconds] of [1, 7, 4].entries()) {
      const jitter = 0.2 * (index === 1 ? 2 : seconds);
      expect(gaps[index], `before attempt ${index + 2}`).to.be.within(
        1000 * (seconds - jitter) - 20,
        1000 * (seconds + jitter) + 1500,
      );
    }
    const waits = Array.from({ length: MAX_DELIVERY_ATTEMPTS }, (_, index) => retryDelayMs(index + 1, 0.5));
    expect(waits).to.deep.equal([1000, 2000, 4000, 8000, 16_000, null]);
  });

  shows('webhook.publisher.verification_failed', async () => {
    const { receiver, secret } = await told('publisher.verification_failed');
    const source = await exchange.create('/api/supply/sources', { domain: 'com.example.app', type: 'ctv' });
    const looked = await exchange.call('POST', `/api/supply/sources/${source.id}/verify`);
    expect(looked.body).to.include({ status: 'failed', reason: 'no_domain' });
    await eventually('the event', () => receiver.received.length === 1);
    const [event] = receiver.received;
    expect(verify(event!, secret)).to.have.property('type', 'publisher.verification_failed');
    expect(event?.event.data).to.include({
      publisher_id: source.id,
      reason: 'no_domain',
      expected_line: looked.body.expected_line,
    });
  });

  shows('webhook.publisher.verified', async () => {
    const { receiver, secret } = await told('publisher.verified');
    const source = await exchange.create('/api/supply/sources', {
      domain: 'com.example.app',
      type: 'ctv',
      developer_domain: 'developer.com',
    });
    const { exchange: running } = exchange.running;
    // The exchange as it is, but names lead to this test's Web and not to the Internet's.
    const hosts = await WebOfHosts.open();
    const settings = { ...DEFAULT_VERIFICATION_LIMITS, allowPrivateNetworks: true, certificationId: null };
    const verifier = new Verifier({
      messenger: running.node.messenger,
      settings: { ...settings, exchangeDomain: '127.0.0.1', connect: hosts.connect },
      clock: systemClock,
    });
    try {
      const path = `/api/supply/sources/${source.id}/verification`;
      hosts.pages.set('https://developer.com/app-ads.txt', `${(await exchange.get(path)).body.expected_line}\n`);
      await verifier.verify(source.id, {
        accountId: firstAccountId,
        partnerId: null,
        sandbox: false,
        name: source.name,
        type: 'ctv',
        domain: source.domain,
        developerDomain: source.developer_domain,
        sellerType: source.seller_type,
      });
      expect((await exchange.get(path)).body).to.include({ status: 'verified', relationship: 'DIRECT' });
    } finally {
      await verifier.close();
      await hosts.close();
    }
    await eventually('the event', () => receiver.received.length === 1);
    expect(verify(receiver.received[0]!, secret)).to.have.nested.property('data.publisher_id', source.id);
  });

  shows('webhook.publisher.fill_rate_alert', async () => {
    const { receiver, secret } = await told('publisher.fill_rate_alert');
    const fields = { domain: 'news.com', type: 'web', fill_rate_alert_threshold: 0.5 };
    const source = await exchange.create('/api/supply/sources', fields);
    const { messenger } = exchange.running.exchange.node;
    const minuteMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 5 * MINUTE_MS;
    await messenger.tell(ledger, hourLedgerId('publisher', source.id, minuteMs, false), 'facts', {
      minuteMs,
      region: 'fra',
      counts: { imps: 2_000, filledImps: 500 },
      counterparties: [],
      creatives: [],
      latency: {},
    });
    const cookie = await exchange.running.logIn();
    await eventually(
      'the alert',
      async () => {
        await exchange.call('POST', '/api/jobs/watch-fill-rates/run', undefined, { 'X-API-Key': '', Cookie: cookie });
        return receiver.received.length > 0;
      },
      { timeoutMs: 60_000, everyMs: 500 },
    );
    const [event] = receiver.received;
    expect(verify(event!, secret)).to.have.property('type', 'publisher.fill_rate_alert');
    expect(event?.event.data).to.include({ publisher_id: source.id, fill_rate: 0.25, threshold: 0.5, imps: 2_000 });
  });
});
