import Type, { type Static } from 'typebox';
import { defineActor } from '../../runtime/actor/define-actor.ts';
import { DeliveryAttempt } from '../webhook-queue/messages.ts';
import { WebhookEvent } from '../webhook-subscriptions/events.ts';

/** `pending`: attempts go on; `delivered`: acknowledged; `dead`: given up, until it is replayed. */
export const DeliveryStatus = Type.Enum(['pending', 'delivered', 'dead']);

const Instant = Type.Integer({ minimum: 0 });
const Round = Type.Integer({ minimum: 1 });

export const DeliveryState = Type.Object({
  accountId: Type.String(),
  webhookId: Type.String(),
  happening: Type.Union([WebhookEvent, Type.Null()]),
  status: DeliveryStatus,
  /** The newest attempts, oldest first. */
  attempts: Type.Array(DeliveryAttempt),
  /** The number of attempts in all rounds. */
  attemptCount: Type.Integer({ minimum: 0 }),
  nextAttemptAtMs: Type.Union([Instant, Type.Null()]),
  /** The reason why it was given up without an attempt; null otherwise. */
  givenUpFor: Type.Union([Type.String(), Type.Null()]),
  round: Type.Integer({ minimum: 0 }),
  /** ms since the epoch; the retention of the record goes by it. */
  openedAtMs: Instant,
  endedAtMs: Type.Union([Instant, Type.Null()]),
});
export type DeliveryState = Static<typeof DeliveryState>;

const noDelivery: DeliveryState = {
  accountId: '',
  webhookId: '',
  happening: null,
  status: 'pending',
  attempts: [],
  attemptCount: 0,
  nextAttemptAtMs: null,
  givenUpFor: null,
  round: 0,
  openedAtMs: 0,
  endedAtMs: null,
};

/** The most stored attempts. Each round makes six at most, so these are about the last five rounds. */
const MAX_ATTEMPTS_KEPT = 30;

const messages = {
  open: Type.Object({ ...WebhookEvent.properties, accountId: Type.String(), webhookId: Type.String(), round: Round }),
  attempted: Type.Object({
    round: Round,
    attempt: DeliveryAttempt,
    outcome: DeliveryStatus,
    nextAttemptAtMs: Type.Union([Instant, Type.Null()]),
  }),
  'give-up': Type.Object({ round: Round, reason: Type.String(), atMs: Instant }),
};

/**
 * The record of the deliveries of one event to one webhook, for people. The webhook queue decides what to do next, and
 * it alone sends messages here. Id: `<webhook>:<event>`.
 */
export const webhookDelivery = defineActor({
  kind: 'webhook-delivery',
  schemaVersion: 1,
  saving: 'eager',
  audit: { none: 'They follow their queue, where sending one again is an entry.' },
  state: DeliveryState,
  messages,
  initial: () => noDelivery,
  handlers: {
    open(state, { accountId, webhookId, round, ...happening }, { nowMs }) {
      const openedAtMs = state.openedAtMs === 0 ? nowMs : state.openedAtMs;
      const opened = { accountId, webhookId, happening, round, openedAtMs, nextAttemptAtMs: nowMs };
      return { state: { ...state, ...opened, status: 'pending', givenUpFor: null, endedAtMs: null } };
    },
    attempted: (state, { attempt, outcome, nextAttemptAtMs }) => ({
      state: {
        ...state,
        status: outcome,
        attempts: [...state.attempts, attempt].slice(-MAX_ATTEMPTS_KEPT),
        attemptCount: state.attemptCount + 1,
        nextAttemptAtMs,
        endedAtMs: outcome === 'pending' ? null : attempt.atMs,
      },
    }),
    'give-up': (state, { reason, atMs }) => ({
      state: { ...state, status: 'dead', nextAttemptAtMs: null, givenUpFor: reason, endedAtMs: atMs },
    }),
  },
  indexes: ['webhookId', 'openedAtMs'],
});
