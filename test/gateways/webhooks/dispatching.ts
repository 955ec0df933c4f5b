import { expect } from 'chai';
import { Registry } from 'prom-client';
import type { WebhookQueueState } from '#actors/webhook-queue/reduce';
import { webhookQueue } from '#actors/webhook-queue/webhook-queue';
import { publishWebhookEvent } from '#actors/webhook-subscriptions/publish-event';
import { webhookSubscriptions } from '#actors/webhook-subscriptions/webhook-subscriptions';
import { DeliveryMetrics } from '#gateways/webhooks/delivery-metrics';
import { DEFAULT_DELIVERY_SETTINGS, type DeliverySettings } from '#gateways/webhooks/settings';
import { WebhookDispatcher, type WebhookDispatcherDeps } from '#gateways/webhooks/webhook-dispatcher';
import { SILENT } from '#runtime/node/logger';
import { eventually } from '../../support/eventually.ts';
import type { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { type AccountClients, type RunningManagement, startManagement } from '../management/running-management.ts';
import { AheadClock } from './ahead-clock.ts';
import { Receiver } from './receiver.ts';

export const path = '/api/webhooks';
const events = ['pool.dsp_joined', 'publisher.verified'];

/** To be called in a suite: a management API, and for each test an account, a clock, and whatever it opens. */
export function dispatching(pair: (typeof PROVIDER_PAIRS)[number]) {
  let running: RunningManagement;
  let own: AccountClients;
  let clock: AheadClock;
  let registry: Registry;
  const opened: { close(): Promise<void> }[] = [];
  /** The ids of the test's webhooks, which are those of their queues. */
  const registered: string[] = [];

  before(async function () {
    running = await startManagement(this, pair, { settings: { allowPrivateNetworks: true } });
  });
  after(() => running?.close());
  beforeEach(async () => {
    clock = new AheadClock();
    registered.length = 0;
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
  const dispatch = (
    settings: Partial<DeliverySettings> = {},
    deps: Partial<Omit<WebhookDispatcherDeps, 'settings'>> = {},
  ) => {
    registry = new Registry();
    const dispatcher = new WebhookDispatcher({
      messenger: running.node.messenger,
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
      metrics: new DeliveryMetrics(registry),
      ...deps,
    }).start();
    opened.push(dispatcher);
    return dispatcher;
  };
  const register = async (url: string, client = own.api) => {
    const answer = await client.post(path, { url, events });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    registered.push(answer.body.id);
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
      { timeoutMs: 60_000 },
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
    const { body } = publishWebhookEvent(
      { accountId, partnerId: null, sandbox: false, type: 'pool.dsp_joined', resource: `pool/${pool}`, data },
      context,
    );
    await running.node.messenger.ask(webhookSubscriptions, accountId, 'happened', body as never);
    return String(position);
  };
  /** When the webhooks of this test have their next attempts; none for one that has nothing open. */
  const dues = async () => {
    const lanes = await running.store.load(registered.map((id) => ({ kind: webhookQueue.kind, id })));
    return lanes.flatMap((lane) => (lane?.state as WebhookQueueState | undefined)?.dueAtMs ?? []);
  };
  /** Time goes on to each next attempt, and no further, until it is done. An attempt under way is waited for. */
  const pressOn = async (what: string, done: () => boolean | Promise<boolean>) => {
    await eventually(
      what,
      async () => {
        if (await done()) return true;
        const next = Math.min(...(await dues()));
        if (next !== Number.POSITIVE_INFINITY && next > clock.now()) clock.advance(next - clock.now());
        return false;
      },
      { timeoutMs: 60_000 },
    );
  };

  return {
    get running() {
      return running;
    },
    get own() {
      return own;
    },
    get clock() {
      return clock;
    },
    /** The metrics of the newest dispatcher. */
    get registry() {
      return registry;
    },
    /** Closed after the test, the last first. */
    opened,
    receiver,
    dispatch,
    register,
    deliveriesOf,
    settled,
    happen,
    pressOn,
  };
}

/** The events that a receiver got, in order. */
export const told = ({ received }: Receiver) => received.map(({ event }) => event.data.dsp_id);
