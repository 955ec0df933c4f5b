import Type, { type Static } from 'typebox';
import { Happening } from '../webhook-roll/events.ts';

/** How one POST went. */
export const Attempt = Type.Object({
  /** When it ended, by the clock of whoever made it; ms since the epoch. */
  atMs: Type.Integer({ minimum: 0 }),
  latencyMs: Type.Integer({ minimum: 0 }),
  /** Of the answer; null when none came. */
  httpStatus: Type.Union([Type.Integer(), Type.Null()]),
  /** Why it does not count; null when it was acknowledged. */
  error: Type.Union([Type.String({ maxLength: 300 }), Type.Null()]),
});
export type Attempt = Static<typeof Attempt>;

export const laneMessages = {
  /**
   * To be delivered, after what is still open about the same resource. What is open already stays as it is. Past a bound of
   * open deliveries it is given up at once, and can be replayed.
   */
  enqueue: Type.Object({ ...Happening.properties, accountId: Type.String() }),
  /** One attempt, named by its place; another than the one expected changes nothing: it was told before. */
  attempted: Type.Object({
    eventId: Type.String(),
    round: Type.Integer({ minimum: 1 }),
    /** In its round, from 1. */
    number: Type.Integer({ minimum: 1 }),
    attempt: Attempt,
  }),
  /** Gives up all that is open: the webhook is gone, or disabled. */
  abandon: Type.Object({ reason: Type.String({ maxLength: 300 }) }),
};
