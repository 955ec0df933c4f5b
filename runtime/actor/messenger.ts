import type { Static } from 'typebox';
import type { MessageSchemas, ReplyOf } from './define-actor.ts';

/** What a message needs of the kind that it goes to. `H`: its handlers, whose replies askers are answered. */
export interface Addressee<M extends MessageSchemas, H = unknown> {
  readonly kind: string;
  readonly messages: M;
  readonly handlers: H;
}

export interface AskOptions {
  /** Default 5,000 ms. */
  readonly timeoutMs?: number;
  /**
   * Asking again under the same id gives the first answer and does nothing twice; kept for 24 h, of an actor that is asked
   * very often for its newest megabyte of answers.
   */
  readonly requestId?: string;
  /** Who asks, as plain data: the trail tells it with what the ask changes (trail.ts). */
  readonly by?: object | undefined;
}

/** How gateways and jobs talk to actors. */
export interface Messenger {
  /**
   * Resolves when the message is durable in the log. Throws `Overloaded` (not sent) or `LogUnavailable` (unknown).
   * Messages of one process to one actor arrive in the order of the calls, each at most once.
   */
  tell<M extends MessageSchemas, T extends keyof M & string>(
    kind: Addressee<M>,
    id: string,
    type: T,
    body: Static<M[T]>,
  ): Promise<void>;

  /**
   * Resolves with the reply when the effect is durable in the store.
   * Throws `Rejected` (nothing changed), `Parked`, `Overloaded` (not sent) or `ActorTimeout` (outcome unknown).
   */
  ask<M extends MessageSchemas, H, T extends keyof M & string>(
    kind: Addressee<M, H>,
    id: string,
    type: T,
    body: Static<M[T]>,
    options?: AskOptions,
  ): Promise<ReplyOf<H, T>>;
}
