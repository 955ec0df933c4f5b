import Type, { type Static } from 'typebox';
import { WebhookEvent } from '../webhook-subscriptions/events.ts';

/** One attempt: the result of one POST. */
export const DeliveryAttempt = Type.Object({
  /** When it ended, by the clock of the sender; ms since the epoch. */
  atMs: Type.Integer({ minimum: 0 }),
  latencyMs: Type.Integer({ minimum: 0 }),
  /** The status of the response; null when none came. */
  httpStatus: Type.Union([Type.Integer(), Type.Null()]),
  /** The reason why it failed; null when it was acknowledged. */
  error: Type.Union([Type.String({ maxLength: 300 }), Type.Null()]),
});
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

export const webhookQueueMessages = {
  /**
   * Enqueues an event behind the open ones about the same resource. An event that is open already stays as it is.
   * Beyond the bound of open deliveries the event is given up at once, and can be replayed.
   */
  enqueue: Type.Object({ ...WebhookEvent.properties, accountId: Type.String() }),
  /**
   * Reports one attempt by its place; an attempt other than the expected one changes nothing, because it was reported
   * before.
   */
  attempted: Type.Object({
    eventId: Type.String(),
    round: Type.Integer({ minimum: 1 }),
    /** The number of the attempt in its round, from 1. */
    number: Type.Integer({ minimum: 1 }),
    attempt: DeliveryAttempt,
  }),
  /** Gives up all open deliveries: the webhook was removed or disabled. */
  abandon: Type.Object({ reason: Type.String({ maxLength: 300 }) }),
};
