import type { WebhookState } from '../../actors/webhook/reduce.ts';
import { webhook } from '../../actors/webhook/webhook.ts';
import type { DeliveryAttempt } from '../../actors/webhook-queue/messages.ts';
import { attemptableDeliveries, type OpenDelivery, type WebhookQueueState } from '../../actors/webhook-queue/reduce.ts';
import { webhookQueue } from '../../actors/webhook-queue/webhook-queue.ts';
import { pause, systemTimer } from '../../async/pause.ts';
import { retry } from '../../async/retry.ts';
import { parseUrl } from '../../exchange/parse-url.ts';
import { Complaints } from '../../runtime/actor/complaints.ts';
import type { Logger } from '../../runtime/actor/logger.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { ActorDocument, StateStore } from '../../runtime/ports/store.ts';
import { SealBroken, type Sealer } from '../management/secrets/sealer.ts';
import type { Backlog, DeliveryMetrics } from './delivery-metrics.ts';
import { InFlightAttempts } from './in-flight-attempts.ts';
import type { DeliverySettings } from './settings.ts';
import { webhookSealer } from './signing-secret.ts';
import { WebhookClient } from './webhook-client.ts';
import { webhookBody, webhookHeaders } from './webhook-message.ts';

export interface WebhookDispatcherDeps {
  readonly messenger: Messenger;
  readonly store: Pick<StateStore, 'load' | 'query'>;
  readonly secretKey: string;
  /** Earlier master secrets, which open what they sealed. */
  readonly previousSecretKeys?: readonly string[];
  readonly settings: DeliverySettings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Pick<DeliveryMetrics, 'made' | 'watch'>;
}

/** Webhook queues that one query reads at most. */
const PAGE = 500;
/** The report of an attempt to its queue is sent this often at most while the queue cannot be reached. */
const MAX_REPORT_ATTEMPTS = 60;
/** The pause between two reports of one attempt. */
const REPORT_RETRY_MS = 1_000;
/** What failed without a record is begun again after this pause, not at the next poll. */
const UNRECORDED_PAUSE_MS = 10_000;
/** Webhooks that an older release registered are looked up at this interval. */
const SUBSCRIBE_EVERY_MS = 10 * 60_000;

/** The reasons of attempts that were not made, which the record of a delivery shows to its account. */
const SECRET_SEALED = 'no POST was made: the signing secret was sealed under another SECRET_KEY; rotate it';
const INTERNAL_ERROR = 'no POST was made: an internal error, which the log of the exchange describes';

/**
 * Delivers due events while it runs. All of its state is in the webhook queues: each attempt is reported to its queue,
 * which decides when the next one is due, so another dispatcher continues where this one stopped. A crash between a
 * POST and its report repeats the POST, under the same id.
 */
export class WebhookDispatcher {
  readonly #deps: WebhookDispatcherDeps;
  readonly #sealer: Sealer;
  readonly #client: WebhookClient;
  readonly #inFlight: InFlightAttempts;
  readonly #complaints: Complaints;
  readonly #stopping = new AbortController();
  #cancel: () => void = () => {};
  #round: Promise<void> = Promise.resolve();
  #nextSubscribeMs = 0;

  constructor(deps: WebhookDispatcherDeps) {
    this.#deps = deps;
    this.#sealer = webhookSealer(deps);
    this.#client = new WebhookClient(deps.settings, deps.clock);
    this.#inFlight = new InFlightAttempts(deps.settings);
    this.#complaints = new Complaints(deps);
  }

  start(): this {
    this.#deps.metrics?.watch(() => this.#backlog());
    const round = async () => {
      try {
        await this.#subscribeOlder();
        await this.#beginDue();
      } catch (err) {
        this.#deps.logger.warn({ err }, 'webhooks that are due could not be read; the next round goes on');
      }
      if (!this.#stopping.signal.aborted) next(this.#deps.settings.pollMs);
    };
    const next = (inMs: number) => {
      this.#cancel = this.#deps.clock.after(inMs, () => {
        this.#round = round();
      });
    };
    this.#round = round();
    return this;
  }

  /** Aborts the attempts in flight; the next dispatcher makes them again. */
  async close(): Promise<void> {
    this.#deps.metrics?.watch(null);
    this.#stopping.abort();
    this.#cancel();
    await this.#round;
    await this.#inFlight.whenAllEnded();
    this.#complaints.close();
    await this.#client.close();
  }

  async #backlog(): Promise<Backlog> {
    const { store, clock } = this.#deps;
    const { documents, total } = await store.query(webhookQueue.kind, {
      where: { dueAtMs: { gte: 0 } },
      orderBy: 'dueAtMs',
      limit: 1,
    });
    const [first] = documents;
    const dueAtMs = first === undefined ? null : (first.state as WebhookQueueState).dueAtMs;
    return { webhooks: total, overdueMs: dueAtMs === null ? 0 : Math.max(0, clock.now() - dueAtMs) };
  }

  /** Begins the attempts that are due, while there is room. */
  async #beginDue(): Promise<void> {
    const { store, clock } = this.#deps;
    this.#inFlight.beginReading();
    for (let skip = 0; !this.#inFlight.full && !this.#stopping.signal.aborted; skip += PAGE) {
      const nowMs = clock.now();
      const { documents: queues } = await store.query(webhookQueue.kind, {
        where: { dueAtMs: { gte: 0, lt: nowMs + 1 } },
        orderBy: 'dueAtMs',
        skip,
        limit: PAGE,
      });
      if (queues.length === 0) return;
      const webhooks = await store.load(queues.map(({ id }) => ({ kind: webhook.kind, id })));
      for (const [index, queue] of queues.entries()) this.#beginQueue(queue, webhooks[index] ?? null, nowMs);
      if (queues.length < PAGE) return;
    }
  }

  #beginQueue({ id, state }: ActorDocument, document: ActorDocument | null, nowMs: number): void {
    const webhookState = document?.state as WebhookState | null | undefined;
    if (webhookState?.status !== 'active') {
      const reason = webhookState ? 'the webhook was disabled' : 'the webhook was deleted';
      this.#begin(id, '', id, () => this.#deps.messenger.ask(webhookQueue, id, 'abandon', { reason }));
      return;
    }
    // A URL that cannot be read makes failed attempts, and must not end the round for all other webhooks.
    const origin = parseUrl(webhookState.url)?.origin ?? '';
    for (const delivery of attemptableDeliveries((state as WebhookQueueState).open)) {
      if (delivery.dueAtMs > nowMs) continue;
      const name = `${delivery.round}:${delivery.attempts}`;
      this.#begin(id, origin, name, () => this.#attempt(id, webhookState, delivery));
    }
  }

  /**
   * Begins `act` if there is room. A failure is logged, and keeps its place for a pause: the queue does not know of it.
   */
  #begin(id: string, origin: string, name: string, act: () => Promise<unknown>): void {
    this.#inFlight.begin(id, origin, name, async () => {
      try {
        await act();
      } catch (err) {
        if (this.#stopping.signal.aborted) return;
        this.#complaints.warn(
          { err, webhook: id },
          'a delivery to a webhook failed without a record; it is begun again',
        );
        await pause(systemTimer, UNRECORDED_PAUSE_MS, this.#stopping.signal);
      }
    });
  }

  /**
   * Makes one attempt and reports it to its queue. When the report fails, the attempt counts as not made and is made
   * again.
   */
  async #attempt(id: string, webhookState: WebhookState, delivery: OpenDelivery): Promise<void> {
    const { messenger, logger } = this.#deps;
    const attempt = await this.#post(id, webhookState, delivery);
    if (attempt === null) return;
    this.#deps.metrics?.made(attempt);
    const { eventId, round, attempts } = delivery;
    // A repeated report changes nothing. Without a report the POST would be repeated, which would burden the receiver
    // for our failure.
    const { signal } = this.#stopping;
    await retry(() => messenger.ask(webhookQueue, id, 'attempted', { eventId, round, number: attempts + 1, attempt }), {
      attempts: MAX_REPORT_ATTEMPTS,
      mayRetry: () => !signal.aborted,
      pause: () => pause(systemTimer, REPORT_RETRY_MS, signal),
    }).catch((err) => {
      logger.warn({ err, webhook: id, event: eventId }, 'an attempt could not be recorded; it is made again');
    });
  }

  /**
   * Sends the POST. Whatever prevents it makes a failed attempt, so that the queue ends the delivery as it ends others.
   * Null when `close` ended the attempt.
   */
  async #post(id: string, webhookState: WebhookState, delivery: OpenDelivery): Promise<DeliveryAttempt | null> {
    const nowMs = this.#deps.clock.now();
    const { signal } = this.#stopping;
    try {
      const secrets = this.#secretsOf(id, webhookState, nowMs);
      if (secrets === null) {
        this.#complaints.error(
          { webhook: id },
          'the signing secret of a webhook was sealed under an unknown SECRET_KEY',
        );
        return notMade(nowMs, SECRET_SEALED);
      }
      const body = webhookBody(delivery);
      const headers = webhookHeaders(delivery.eventId, body, secrets, nowMs);
      const url = parseUrl(webhookState.url);
      if (url === null) throw new TypeError('the URL of the webhook cannot be read');
      return await this.#client.post(url, headers, body, signal);
    } catch (err) {
      if (signal.aborted) return null;
      this.#complaints.error({ err, webhook: id, event: delivery.eventId }, 'an attempt at a webhook was not made');
      return notMade(nowMs, INTERNAL_ERROR);
    }
  }

  /** The secrets to sign with, the current one first; null when no known master secret opens the current one. */
  #secretsOf(id: string, { sealedSecret, formerSecret }: WebhookState, nowMs: number): string[] | null {
    const current = this.#opened(sealedSecret);
    if (current === null) return null;
    if (!formerSecret || nowMs >= formerSecret.untilMs) return [current];
    const former = this.#opened(formerSecret.sealedSecret);
    if (former !== null) return [current, former];
    // Of no consequence to a receiver that knows the current secret: the rotation after a leak is what replaces it.
    this.#complaints.warn(
      { webhook: id },
      'the former signing secret of a webhook was sealed under an unknown SECRET_KEY: the current one signs alone',
    );
    return [current];
  }

  /** The sealed secret; null when no known master secret opens it. */
  #opened(sealedSecret: string): string | null {
    try {
      return this.#sealer.open(sealedSecret);
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      return null;
    }
  }

  async #subscribeOlder(): Promise<void> {
    const { messenger, store, clock } = this.#deps;
    if (clock.now() < this.#nextSubscribeMs) return;
    const { documents } = await store.query(webhook.kind, { where: { enrolled: null }, limit: PAGE });
    for (const { id } of documents) await messenger.tell(webhook, id, 'enrol', {});
    if (documents.length < PAGE) this.#nextSubscribeMs = clock.now() + SUBSCRIBE_EVERY_MS;
  }
}

function notMade(atMs: number, error: string): DeliveryAttempt {
  return { atMs, latencyMs: 0, httpStatus: null, error };
}
