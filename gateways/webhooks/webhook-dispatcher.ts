import type { WebhookState } from '../../actors/webhook/reduce.ts';
import { webhook } from '../../actors/webhook/webhook.ts';
import { attemptableDeliveries, type OpenDelivery, type WebhookQueueState } from '../../actors/webhook-queue/reduce.ts';
import { webhookQueue } from '../../actors/webhook-queue/webhook-queue.ts';
import { pause, systemTimer } from '../../async/pause.ts';
import { retry } from '../../async/retry.ts';
import type { Logger } from '../../runtime/actor/logger.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { ActorDocument, StateStore } from '../../runtime/ports/store.ts';
import type { Sealer } from '../management/secrets/sealer.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { InFlightAttempts } from './in-flight-attempts.ts';
import type { DeliverySettings } from './settings.ts';
import { webhookSealer } from './signing-secret.ts';
import { WebhookClient } from './webhook-client.ts';
import { webhookBody, webhookHeaders } from './webhook-message.ts';

export interface WebhookDispatcherDeps {
  readonly messenger: Messenger;
  readonly store: Pick<StateStore, 'load' | 'query'>;
  readonly secretKey: string;
  /** Master secrets of before, which open what they sealed. */
  readonly previousSecretKeys?: readonly string[];
  readonly settings: DeliverySettings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Pick<DeliveryMetrics, 'made'>;
}

/** Lanes that are looked at together. */
const PAGE = 500;
/** How often, and after what pause, a lane is told of an attempt while it cannot be reached. */
const MAX_REPORT_ATTEMPTS = 60;
const REPORT_RETRY_MS = 1_000;
/** Webhooks that an older release registered are looked for so often. */
const SUBSCRIBE_EVERY_MS = 10 * 60_000;

/**
 * Delivers what is due, as long as it runs. All that it knows is in the lanes: each attempt is told to its lane, which says
 * when there is another, so whoever runs next goes on where this one ended. Between a POST and the lane's having been told,
 * a crash repeats the POST, under the same id.
 */
export class WebhookDispatcher {
  readonly #parts: WebhookDispatcherDeps;
  readonly #sealer: Sealer;
  readonly #poster: WebhookClient;
  readonly #inFlight: InFlightAttempts;
  readonly #stopping = new AbortController();
  #cancel: () => void = () => {};
  #round: Promise<void> = Promise.resolve();
  #nextSubscribeMs = 0;

  constructor(parts: WebhookDispatcherDeps) {
    this.#parts = parts;
    this.#sealer = webhookSealer(parts);
    this.#poster = new WebhookClient(parts.settings, parts.clock);
    this.#inFlight = new InFlightAttempts(parts.settings);
  }

  start(): this {
    const round = async () => {
      try {
        await this.#subscribeOlder();
        await this.#beginDue();
      } catch (err) {
        this.#parts.logger.warn({ err }, 'webhooks that are due could not be read; the next round goes on');
      }
      if (!this.#stopping.signal.aborted) next(this.#parts.settings.pollMs);
    };
    const next = (inMs: number) => {
      this.#cancel = this.#parts.clock.after(inMs, () => {
        this.#round = round();
      });
    };
    this.#round = round();
    return this;
  }

  /** Gives up what is under way: it is made again by whoever is next. */
  async close(): Promise<void> {
    this.#stopping.abort();
    this.#cancel();
    await this.#round;
    await this.#inFlight.whenAllEnded();
    await this.#poster.close();
  }

  /** Begins every attempt that is due, as far as there is room. */
  async #beginDue(): Promise<void> {
    const { store, clock } = this.#parts;
    this.#inFlight.beginReading();
    for (let skip = 0; !this.#inFlight.full && !this.#stopping.signal.aborted; skip += PAGE) {
      const nowMs = clock.now();
      const { documents: lanes } = await store.query(webhookQueue.kind, {
        where: { dueAtMs: { gte: 0, lt: nowMs + 1 } },
        orderBy: 'dueAtMs',
        skip,
        limit: PAGE,
      });
      if (lanes.length === 0) return;
      const webhooks = await store.load(lanes.map(({ id }) => ({ kind: webhook.kind, id })));
      for (const [index, lane] of lanes.entries()) this.#beginQueue(lane, webhooks[index] ?? null, nowMs);
      if (lanes.length < PAGE) return;
    }
  }

  #beginQueue({ id, state }: ActorDocument, document: ActorDocument | null, nowMs: number): void {
    const told = document?.state as WebhookState | null | undefined;
    if (told?.status !== 'active') {
      const reason = told ? 'the webhook was disabled' : 'the webhook was deleted';
      this.#inFlight.begin(id, '', id, () => this.#parts.messenger.ask(webhookQueue, id, 'abandon', { reason }));
      return;
    }
    const url = new URL(told.url);
    for (const one of attemptableDeliveries((state as WebhookQueueState).open)) {
      if (one.dueAtMs > nowMs) continue;
      const name = `${one.round}:${one.attempts}`;
      this.#inFlight.begin(id, url.origin, name, () => this.#attempt(id, told, url, one));
    }
  }

  /** Ends when the lane has been told, or cannot be: then the attempt was for nothing, and is made again. */
  async #attempt(id: string, told: WebhookState, url: URL, one: OpenDelivery): Promise<void> {
    const { messenger, clock, logger } = this.#parts;
    const body = webhookBody(one);
    const nowMs = clock.now();
    const headers = webhookHeaders(one.eventId, body, this.#secretsOf(told, nowMs), nowMs);
    const attempt = await this.#poster.post(url, headers, body, this.#stopping.signal);
    if (attempt === null) return;
    this.#parts.metrics?.made(attempt);
    const { eventId, round, attempts } = one;
    // Told again it changes nothing; not told it is made again, and a receiver is not to pay for our trouble.
    const { signal } = this.#stopping;
    await retry(() => messenger.ask(webhookQueue, id, 'attempted', { eventId, round, number: attempts + 1, attempt }), {
      attempts: MAX_REPORT_ATTEMPTS,
      mayRetry: () => !signal.aborted,
      pause: () => pause(systemTimer, REPORT_RETRY_MS, signal),
    }).catch((err) => {
      logger.warn({ err, webhook: id, event: eventId }, 'an attempt could not be recorded; it is made again');
    });
  }

  #secretsOf({ sealedSecret, formerSecret }: WebhookState, nowMs: number): string[] {
    const secrets = [this.#sealer.open(sealedSecret)];
    if (formerSecret && nowMs < formerSecret.untilMs) secrets.push(this.#sealer.open(formerSecret.sealedSecret));
    return secrets;
  }

  async #subscribeOlder(): Promise<void> {
    const { messenger, store, clock } = this.#parts;
    if (clock.now() < this.#nextSubscribeMs) return;
    const { documents } = await store.query(webhook.kind, { where: { enrolled: null }, limit: PAGE });
    for (const { id } of documents) await messenger.tell(webhook, id, 'enrol', {});
    if (documents.length < PAGE) this.#nextSubscribeMs = clock.now() + SUBSCRIBE_EVERY_MS;
  }
}
