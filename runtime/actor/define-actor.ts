import type { Static, TObject, TSchema } from 'typebox';
import type { Context, Send } from './context.ts';
import type { Rejection } from './rejection.ts';

/** The messages a kind understands: a name and the schema of its body. */
export type MessageSchemas = Readonly<Record<string, TSchema>>;

/** One message as a reducer sees it: a union discriminated by `type`. */
export type MessageOf<M extends MessageSchemas> = {
  readonly [T in keyof M & string]: { readonly type: T; readonly body: Static<M[T]> };
}[keyof M & string];

/** What handling a message does to a state and to other actors. Whatever is left out stays as it was; who asks is answered null. */
export interface Changes<State> {
  /** The next state; null deletes the actor (it leaves a tombstone, and begins anew from `initial`). */
  readonly state?: State | null;
  /** Eager kinds only: messages that this change causes, delivered exactly once, in order for each receiver. */
  readonly sends?: readonly Send[];
  readonly reply?: undefined;
}

/** The same with an answer. */
export interface Effects<State, Reply = unknown> extends Omit<Changes<State>, 'reply'> {
  /** Answer to whoever asked; ignored for a told message. */
  readonly reply: Reply;
}

/** All that a handler may return: nothing at all, effects, or a refusal, which changes nothing. */
export type Outcome<State> = Effects<State> | Changes<State> | Rejection | void;

/** One handler for each message. */
export type Handlers<S extends TSchema, M extends MessageSchemas> = {
  readonly [T in keyof M]: (state: Static<S>, body: Static<M[T]>, context: Context) => Outcome<Static<S>>;
};

/** Handlers of messages that the kind does not have do not compile. */
type NoOthers<H, M> = { readonly [T in Exclude<keyof H, keyof M>]: never };

/** What asking for the message `T` resolves with, given the handlers: null where the handler says no reply. */
export type ReplyOf<H, T extends string> = H extends { readonly [K in T]: (...given: never[]) => infer Returned }
  ? ReplyIn<Returned>
  : never;
type ReplyIn<Returned> = Returned extends Rejection
  ? never
  : Returned extends { readonly reply: infer Reply }
    ? Reply
    : null;

/**
 * - `eager`: saved before the reply, so that whoever asked reads its own write. Control actors.
 * - `lazy`: saved at most every second, however many messages; may answer nothing and send only `totals`.
 */
export type SaveMode = 'eager' | 'lazy';

export interface ActorDefinition<
  S extends TObject = TObject,
  M extends MessageSchemas = MessageSchemas,
  View = unknown,
  H extends Handlers<S, M> = Handlers<S, M>,
> extends Declaration<S, M, View, H> {
  /** Hands a message to its handler. Throws when the kind has none of that name. */
  handle(state: Static<S>, message: MessageOf<M>, context: Context): Outcome<Static<S>>;
}

/** A kind as it is declared. */
export interface Declaration<S extends TObject, M extends MessageSchemas, View, H> {
  /** kebab-case noun; the first half of every address `kind/id`. */
  readonly kind: string;
  /** Of the state. A node refuses a document with a higher one. */
  readonly schemaVersion: number;
  readonly saving: SaveMode;
  readonly state: S;
  readonly messages: M;
  /** The state of an actor that nothing was ever saved of. Pure. */
  initial(id: string): Static<S>;
  /**
   * The reducer, by message: synchronous and pure; must not change `state` in place unless the kind is lazy.
   * A throw parks the message as a dead letter and leaves the state as it was (a lazy kind that throws must not have
   * changed anything yet). `reject(...)` answers an ask with `Rejected` and changes nothing. The type of what a handler
   * replies is the type of what its askers are answered.
   */
  readonly handlers: H;
  /**
   * Reads a state saved under an older schema version: every one that release 0.4.0 or a later one has saved, and no earlier one.
   * Is given answers that were kept beside it too, and may throw or return what is no state for those that are none.
   */
  upgrade?(state: unknown, schemaVersion: number): Static<S>;
  /** What replicas of the catalogue hold of this actor; null leaves it out. Eager kinds only. Pure. */
  projection?(state: Static<S>, id: string): View | null;
  /** The view as a replica keeps it in memory, for kinds whose views are large: the same to whoever reads it, and smaller. Pure. */
  compactProjection?(view: View): View;
  /**
   * Lazy kinds: what changed after `published` (null: ever), as absolute totals to other actors. Sent after each save
   * and again on load while unconfirmed, so receivers must take repetitions and older totals without harm. Changes nothing: whoever was away is told more than others.
   */
  totals?(state: Static<S>, published: string | null, id: string): readonly Send[];
  /**
   * Lazy kinds: what `totals` said is durable with everybody up to `published`, so what is held for it alone may be let go of, in
   * place. The saved state may hold it for one save more: it is told again then.
   */
  onPublished?(state: Static<S>, published: string): void;
  /** Which partition an id lives in, for kinds that choose; by default a hash of `kind/id`. */
  partitionOf?(id: string, partitions: number): number;
  /**
   * The actor that a message to `id` is for, given its log time (ms since the epoch): for kinds with one actor a day.
   * A message that is appended twice could reach two actors, so these are sent by `MessageLog.appendOnce` alone.
   */
  idAt?(id: string, logTimeMs: number): string;
  /**
   * For kinds that hear from ever new actors: how long after its last message an actor is remembered, ms by the log's
   * clock; without it, for good. What such an actor had in its outbox may then be handled again, in the order in which it
   * was sent and while that actor's state is still the one that sent it; that must do no harm.
   */
  readonly forgetActorsMs?: number;
  /** Paths below the state that the API filters or sorts by. */
  readonly indexes?: readonly string[];
}

/** Any definition, for those who hold many. */
// biome-ignore lint/suspicious/noExplicitAny: the parameters of different kinds have nothing in common
export type AnyActorDefinition = ActorDefinition<any, any, any, any>;

/**
 * Declares a kind of actor.
 *
 * An actor `kind/id` always exists: the first message activates it, idleness passivates it.
 */
export function defineActor<S extends TObject, M extends MessageSchemas, H extends Handlers<S, M>, View = unknown>(
  declaration: Declaration<S, M, View, H> & { readonly handlers: NoOthers<H, M> },
): ActorDefinition<S, M, View, H> {
  // Of own properties alone: a message may have any name.
  const handlers = new Map(Object.entries(declaration.handlers as Handlers<S, MessageSchemas>));
  return {
    ...declaration,
    handle(state, message, context) {
      const handler = handlers.get(message.type);
      if (handler === undefined) throw new Error(`${declaration.kind} has no handler for ${message.type}`);
      return handler(state, message.body, context);
    },
  };
}

/** The handlers of a kind that stand in another file than its definition: types their parameters, and nothing else. */
export function handlersOf<S extends TObject, M extends MessageSchemas, H extends Handlers<S, M>>(
  _state: S,
  _messages: M,
  handlers: H & NoOthers<H, M>,
): H {
  return handlers;
}
