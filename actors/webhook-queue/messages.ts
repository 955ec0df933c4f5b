import Type, { type Static } from 'typebox';
import { WebhookEvent } from '../webhook-subscriptions/events.ts';

/** How one POST went. */
export const DeliveryAttempt = Type.Object({
  /** When it ended, by the clock of whoever made it; ms since the epoch. */
  atMs: Type.Integer({ minimum: 0 }),
  latencyMs: Type.Integer({ minimum: 0 }),
  /** Of the answer; null when none came. */
  httpStatus: Type.Union([Type.Integer(), Type.Null()]),
  /** Why it does not count; null when it was acknowledged. */
  error: Type.Union([Type.String({ maxLength: 300 }), Type.Null()]),
});
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

export const webhookQueueMessages = {
  /**
   * To be delivered, after what is still open about the same resource. What is open already stays as it is. Past a bound of
   * open deliveries it is given up at once, and can be replayed.
   */
  enqueue: Type.Object({ ...WebhookEvent.properties, accountId: Type.String() }),
  /** One attempt, named by its place; another than the one expected changes nothing: it was told before. */
  attempted: Type.Object({
    eventId: Type.String(),
    round: Type.Integer({ minimum: 1 }),
    /** In its round, from 1. */
    number: Type.Integer({ minimum: 1 }),
    attempt: DeliveryAttempt,
  }),
  /** Gives up all that is open: the webhook is gone, or disabled. */
  abandon: Type.Object({ reason: Type.String({ maxLength: 300 }) }),
};
