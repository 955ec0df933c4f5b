import type { Static } from 'typebox';
import type { MessageSchemas, ReplyOf } from './define-actor.ts';

/**
 * The part of a kind's definition that a message to it needs. `H` is the type of its handlers, which determines the
 * type of replies.
 */
export interface Addressee<M extends MessageSchemas, H = unknown> {
  readonly kind: string;
  readonly messages: M;
  readonly handlers: H;
}

export interface AskOptions {
  /** Default 5,000 ms. */
  readonly timeoutMs?: number;
  /**
   * A repeated ask with the same id gets the first reply and has no second effect. Replies are cached for 24 h; an
   * actor that is asked very often keeps only the newest 1 MB of them.
   */
  readonly requestId?: string;
  /**
   * The user or key that asks, as plain data: the audit trail records it with the change that the ask makes
   * (audit-trail.ts).
   */
  readonly by?: object | undefined;
}

/** The object by which gateways and jobs ask and tell actors. */
export interface Messenger {
  /**
   * Resolves when the message is durable in the log. Rejects with `Overloaded` (not sent) or `LogUnavailable`
   * (unknown). Messages of one process to one actor arrive in the order of the calls, each at most once.
   */
  tell<M extends MessageSchemas, T extends keyof M & string>(
    kind: Addressee<M>,
    id: string,
    type: T,
    body: Static<M[T]>,
  ): Promise<void>;

  /**
   * Resolves with the reply when the effect is durable in the store. Rejects with `Rejected` (nothing changed),
   * `Parked`, `Overloaded` (not sent) or `ActorTimeout` (outcome unknown).
   */
  ask<M extends MessageSchemas, H, T extends keyof M & string>(
    kind: Addressee<M, H>,
    id: string,
    type: T,
    body: Static<M[T]>,
    options?: AskOptions,
  ): Promise<ReplyOf<H, T>>;
}
