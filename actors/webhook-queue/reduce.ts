import Type, { type Static } from 'typebox';
import type { Context, Send } from '../../runtime/actor/context.ts';
import { type Effects, handlersOf } from '../../runtime/actor/define-actor.ts';
import { deliveryId } from '../webhook-delivery/delivery-id.ts';
import { WebhookEvent } from '../webhook-subscriptions/events.ts';
import { type DeliveryAttempt, webhookQueueMessages } from './messages.ts';
import { MAX_DELIVERY_ATTEMPTS, retryDelayMs } from './retry-schedule.ts';

export const OpenDelivery = Type.Object({
  ...WebhookEvent.properties,
  /** A round begins when the event is enqueued, and again when it is replayed. */
  round: Type.Integer({ minimum: 1 }),
  /** The number of attempts in this round. */
  attempts: Type.Integer({ minimum: 0, maximum: MAX_DELIVERY_ATTEMPTS }),
  /** When the next attempt is due, ms since the epoch, unless another delivery about the same resource comes first. */
  dueAtMs: Type.Integer({ minimum: 0 }),
});
export type OpenDelivery = Static<typeof OpenDelivery>;

export const WebhookQueueState = Type.Object({
  accountId: Type.String(),
  /** The open deliveries in the order of their events or replays. */
  open: Type.Array(OpenDelivery),
  /**
   * The number of rounds begun so far, of all deliveries: no two have the same number, so an attempt of an earlier
   * round can be recognised.
   */
  rounds: Type.Integer({ minimum: 0 }),
  /** When the next attempt is due; null: nothing is open. */
  dueAtMs: Type.Union([Type.Integer(), Type.Null()]),
  /** Since when no attempt was acknowledged, ms since the epoch; null: the last one was. */
  failingSinceMs: Type.Union([Type.Integer(), Type.Null()]),
});
export type WebhookQueueState = Static<typeof WebhookQueueState>;

export const emptyWebhookQueue: WebhookQueueState = {
  accountId: '',
  open: [],
  rounds: 0,
  dueAtMs: null,
  failingSinceMs: null,
};

/** The most open deliveries: the document stays small, and a receiver that was away for long is not flooded. */
export const MAX_OPEN_DELIVERIES = 200;

/** A webhook that has acknowledged nothing for this many ms is disabled when one more delivery fails for good. */
export const DISABLED_AFTER_MS = 86_400_000;

/** The deliveries that may be attempted: the first open one of each resource, so that no later one overtakes it. */
export function attemptableDeliveries(open: readonly OpenDelivery[]): OpenDelivery[] {
  const resources = new Set<string>();
  return open.filter(({ resource }) => !resources.has(resource) && resources.add(resource));
}

export const laneHandlers = handlersOf(WebhookQueueState, webhookQueueMessages, {
  enqueue,
  attempted(state, { eventId, round, number, attempt }, context) {
    const one = state.open.find((open) => open.eventId === eventId);
    if (one?.round !== round || one.attempts !== number - 1) return { reply: state };
    return attempt.error === null ? acknowledged(state, one, attempt, context) : failed(state, one, attempt, context);
  },
  abandon(state, { reason }, context) {
    const sends = state.open.map((one) => record(one, 'give-up', { reason, atMs: context.nowMs }, context));
    return { ...withOpen({ ...state, failingSinceMs: null }, []), sends };
  },
});

function enqueue(
  state: WebhookQueueState,
  { accountId, ...happening }: Static<typeof webhookQueueMessages.enqueue>,
  context: Context,
): Effects<WebhookQueueState, WebhookQueueState> {
  if (state.open.some(({ eventId }) => eventId === happening.eventId)) return { reply: state };
  const round = state.rounds + 1;
  const one: OpenDelivery = { ...happening, round, attempts: 0, dueAtMs: context.nowMs };
  const opened = record(one, 'open', { ...happening, accountId, webhookId: context.id, round }, context);
  const next = { ...state, accountId, rounds: round };
  if (state.open.length >= MAX_OPEN_DELIVERIES) {
    const reason = `${MAX_OPEN_DELIVERIES} deliveries to this webhook were open already`;
    return {
      ...withOpen(next, state.open),
      sends: [opened, record(one, 'give-up', { reason, atMs: context.nowMs }, context)],
    };
  }
  return { ...withOpen(next, [...state.open, one]), sends: [opened] };
}

function acknowledged(
  state: WebhookQueueState,
  one: OpenDelivery,
  attempt: DeliveryAttempt,
  context: Context,
): Effects<WebhookQueueState, WebhookQueueState> {
  const sends = [record(one, 'attempted', { attempt, outcome: 'delivered', nextAttemptAtMs: null }, context)];
  return { ...withOpen({ ...state, failingSinceMs: null }, without(state.open, one)), sends };
}

function failed(
  state: WebhookQueueState,
  one: OpenDelivery,
  attempt: DeliveryAttempt,
  context: Context,
): Effects<WebhookQueueState, WebhookQueueState> {
  const attempts = one.attempts + 1;
  const failingSinceMs = state.failingSinceMs ?? attempt.atMs;
  const waitMs = retryDelayMs(attempts, context.random());
  if (waitMs !== null) {
    const dueAtMs = attempt.atMs + waitMs;
    const open = state.open.map((each) => (each === one ? { ...one, attempts, dueAtMs } : each));
    const sends = [record(one, 'attempted', { attempt, outcome: 'pending', nextAttemptAtMs: dueAtMs }, context)];
    return { ...withOpen({ ...state, failingSinceMs }, open), sends };
  }
  const dead = record(one, 'attempted', { attempt, outcome: 'dead', nextAttemptAtMs: null }, context);
  const others = without(state.open, one);
  if (attempt.atMs - failingSinceMs < DISABLED_AFTER_MS) {
    return { ...withOpen({ ...state, failingSinceMs }, others), sends: [dead] };
  }
  const reason = `Nothing was acknowledged since ${new Date(failingSinceMs).toISOString()}; the last attempt: ${attempt.error}`;
  const givenUp = others.map((each) =>
    record(each, 'give-up', { reason: 'the webhook was disabled', atMs: attempt.atMs }, context),
  );
  const disable: Send = { to: `webhook/${context.id}`, type: 'disable', body: { reason } };
  return { ...withOpen({ ...state, failingSinceMs: null }, []), sends: [dead, ...givenUp, disable] };
}

function without(open: readonly OpenDelivery[], one: OpenDelivery): OpenDelivery[] {
  return open.filter((each) => each !== one);
}

/** The next state, which is also the answer. */
function withOpen(
  state: WebhookQueueState,
  open: OpenDelivery[],
): { state: WebhookQueueState; reply: WebhookQueueState } {
  const due = attemptableDeliveries(open).map(({ dueAtMs }) => dueAtMs);
  const next = { ...state, open, dueAtMs: due.length === 0 ? null : Math.min(...due) };
  return { state: next, reply: next };
}

/** The message to the delivery's own record. */
function record(one: OpenDelivery, type: string, body: object, context: Context): Send {
  const { round } = one;
  return { to: `webhook-delivery/${deliveryId(context.id, one.eventId)}`, type, body: { round, ...body } };
}
