import type { Static, TObject, TSchema } from 'typebox';
import type { AuditRule } from './audit-trail.ts';
import type { Context, Send } from './context.ts';
import type { Rejection } from './rejection.ts';

/** The messages that a kind understands: the schema of the body by message name. */
export type MessageSchemas = Readonly<Record<string, TSchema>>;

/** One message as a reducer sees it: a union discriminated by `type`. */
export type MessageOf<M extends MessageSchemas> = {
  readonly [T in keyof M & string]: { readonly type: T; readonly body: Static<M[T]> };
}[keyof M & string];

/**
 * The effects of a message on a state and on other actors. An omitted field changes nothing; an ask without a reply is
 * answered with null.
 */
export interface Changes<State> {
  /** The next state; null deletes the actor (it leaves a tombstone, and starts again from `initial`). */
  readonly state?: State | null;
  /** Eager kinds only: the messages that this change causes, delivered exactly once and in order for each receiver. */
  readonly sends?: readonly Send[];
  readonly reply?: undefined;
}

/** The effects of a message with a reply. */
export interface Effects<State, Reply = unknown> extends Omit<Changes<State>, 'reply'> {
  /** The reply to an ask; ignored for a tell. */
  readonly reply: Reply;
}

/** Everything that a handler may return: nothing, effects, or a rejection, which changes nothing. */
export type Outcome<State> = Effects<State> | Changes<State> | Rejection | void;

/** One handler for each message. */
export type Handlers<S extends TSchema, M extends MessageSchemas> = {
  readonly [T in keyof M]: (state: Static<S>, body: Static<M[T]>, context: Context) => Outcome<Static<S>>;
};

/** Makes handlers of messages that the kind does not declare a type error. */
type NoOthers<H, M> = { readonly [T in Exclude<keyof H, keyof M>]: never };

/** The type that an ask of message `T` resolves with, given the handlers: null where the handler returns no reply. */
export type ReplyOf<H, T extends string> = H extends { readonly [K in T]: (...given: never[]) => infer Returned }
  ? ReplyIn<Returned>
  : never;
type ReplyIn<Returned> = Returned extends Rejection
  ? never
  : Returned extends { readonly reply: infer Reply }
    ? Reply
    : null;

/**
 * When the state of a kind is saved.
 * - `eager`: saved before the reply, so that an asker reads its own write. Used by control actors.
 * - `lazy`: saved at most once per second, however many messages arrive; may not reply and sends only `totals`.
 */
export type SaveMode = 'eager' | 'lazy';

/** Both directions of a state's stored form. Pure, and nothing is lost. */
export interface AtRest<State> {
  pack(state: State): unknown;
  unpack(stored: unknown): State;
}

export interface ActorDefinition<
  S extends TObject = TObject,
  M extends MessageSchemas = MessageSchemas,
  View = unknown,
  H extends Handlers<S, M> = Handlers<S, M>,
> extends Declaration<S, M, View, H> {
  /** Hands a message to its handler. Throws when the kind has none of that name. */
  handle(state: Static<S>, message: MessageOf<M>, context: Context): Outcome<Static<S>>;
}

/** The declaration of a kind. */
export interface Declaration<S extends TObject, M extends MessageSchemas, View, H> {
  /** A kebab-case noun; the first half of every address `kind/id`. */
  readonly kind: string;
  /** The version of the state's schema. A node refuses a document with a higher one. */
  readonly schemaVersion: number;
  readonly saving: SaveMode;
  readonly state: S;
  readonly messages: M;
  /** The state of an actor that has never been saved. Pure. */
  initial(id: string): Static<S>;
  /**
   * The reducer, one handler per message: synchronous and pure. A handler must not change `state` in place unless the
   * kind is lazy. A throw parks the message as a dead letter and leaves the state unchanged (a handler of a lazy kind
   * must throw before it changes anything). `reject(...)` answers an ask with `Rejected` and changes nothing. The type
   * of a handler's reply is the type that its asks resolve with.
   */
  readonly handlers: H;
  /**
   * Reads a state saved under an older schema version, as it was stored: every version that release 0.4.0 or later has
   * saved, and no earlier one. Answers that were kept beside the state are given to it too: for those that are no
   * states it may throw or return what is no state.
   */
  upgrade?(state: unknown, schemaVersion: number): Static<S>;
  /** The form in which states of this version are stored, where that is smaller than what handlers work with. */
  readonly atRest?: AtRest<Static<S>>;
  /**
   * The projection of this actor, which replicas of the catalogue hold; null leaves the actor out. Eager kinds only.
   * Pure.
   */
  projection?(state: Static<S>, id: string): View | null;
  /**
   * The projection as a replica keeps it in memory, for kinds with large projections: equal for every reader, and
   * smaller. Pure.
   */
  compactProjection?(view: View): View;
  /**
   * Lazy kinds: what changed after `published` (null: since ever), as absolute totals for other actors. Totals are sent
   * after each save, and again on load while unconfirmed, so receivers must tolerate repetitions and older totals. Must
   * not change the state: a receiver that was unavailable gets more totals than the others.
   */
  totals?(state: Static<S>, published: string | null, id: string): readonly Send[];
  /**
   * Lazy kinds: called when every receiver durably has the totals up to `published`, so the state may drop, in place,
   * what it holds only for them. The saved state may hold it until the next save; the call is repeated then.
   */
  onPublished?(state: Static<S>, published: string): void;
  /**
   * Lazy kinds: called when a message to the actor is parked, whatever the reason, before the state is saved together
   * with the dead letter. May change the state in place, for kinds to which the order of messages matters: when the
   * dead letter is replayed, later messages have been handled. The body need not fit the schema. Must not throw.
   */
  onParked?(state: Static<S>, message: { readonly type: string; readonly body: unknown }): void;
  /** The partition of an id, for kinds that choose it; by default a hash of `kind/id`. */
  partitionOf?(id: string, partitions: number): number;
  /**
   * The id of the actor that receives a message to `id`, given its log time (ms since the epoch): for kinds with one
   * actor per day. A message that is appended twice could reach two actors, so such messages are sent only by
   * `MessageLog.appendOnce`.
   */
  idAt?(id: string, logTimeMs: number): string;
  /**
   * For kinds that receive from an unbounded number of actors: how long after its last message a sender is remembered,
   * ms by the log's clock; for ever when absent. Where there are more than 10,000, the oldest are forgotten earlier,
   * but not within ten minutes (runtime/node/forget-senders.ts). Messages in the outbox of a forgotten sender may be
   * handled again, in the order in which they were sent and while that sender's state is still the one that sent them;
   * this must do no harm.
   */
  readonly forgetActorsMs?: number;
  /**
   * For kinds whose actors receive messages for a short time only: how long after its last message an actor leaves
   * memory, ms. That of all actors when absent or longer (runtime/node/tuning.ts).
   */
  readonly idleMs?: number;
  /** Eager kinds only: what requested changes leave in the audit trail; by default an entry each, with the states. */
  readonly audit?: AuditRule;
  /** The paths below the state by which the API filters or sorts. */
  readonly indexes?: readonly string[];
}

/** Any actor definition, for code that handles many kinds. */
// biome-ignore lint/suspicious/noExplicitAny: the parameters of different kinds have nothing in common
export type AnyActorDefinition = ActorDefinition<any, any, any, any>;

/**
 * Declares a kind of actor.
 *
 * An actor `kind/id` always exists: its first message activates it, and idleness passivates it.
 */
export function defineActor<S extends TObject, M extends MessageSchemas, H extends Handlers<S, M>, View = unknown>(
  declaration: Declaration<S, M, View, H> & { readonly handlers: NoOthers<H, M> },
): ActorDefinition<S, M, View, H> {
  // The map holds own properties only, because a message may have any name.
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

/** Types the parameters of handlers that are declared in another file than their definition, and does nothing else. */
export function handlersOf<S extends TObject, M extends MessageSchemas, H extends Handlers<S, M>>(
  _state: S,
  _messages: M,
  handlers: H & NoOthers<H, M>,
): H {
  return handlers;
}
