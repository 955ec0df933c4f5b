import type { Static, TObject, TSchema } from 'typebox';
import type { Context, Send } from './context.ts';
import type { Rejection } from './rejection.ts';

/** The messages a kind understands: a name and the schema of its body. */
export type MessageSchemas = Readonly<Record<string, TSchema>>;

/** One message as a reducer sees it: a union discriminated by `type`. */
export type MessageOf<M extends MessageSchemas> = {
  readonly [T in keyof M & string]: { readonly type: T; readonly body: Static<M[T]> };
}[keyof M & string];

/** What handling a message does. Whatever is left out stays as it was. */
export interface Effects<State> {
  /** The next state; null deletes the actor (it leaves a tombstone, and begins anew from `initial`). */
  readonly state?: State | null;
  /** Answer to whoever asked; ignored for a told message. */
  readonly reply?: unknown;
  /** Eager kinds only: messages that this change causes, delivered exactly once, in order for each receiver. */
  readonly sends?: readonly Send[];
}

/**
 * - `eager`: saved before the reply, so that whoever asked reads its own write. Control actors.
 * - `lazy`: saved at most every second, however many messages; may answer nothing and send only `totals`.
 */
export type Saving = 'eager' | 'lazy';

export interface ActorDefinition<
  S extends TObject = TObject,
  M extends MessageSchemas = MessageSchemas,
  View = unknown,
> {
  /** kebab-case noun; the first half of every address `kind/id`. */
  readonly kind: string;
  /** Of the state. A node refuses a document with a higher one. */
  readonly schemaVersion: number;
  readonly saving: Saving;
  readonly state: S;
  readonly messages: M;
  /** The state of an actor that nothing was ever saved of. Pure. */
  initial(id: string): Static<S>;
  /**
   * The reducer: synchronous and pure; must not change `state` in place unless the kind is lazy.
   * A throw parks the message as a dead letter and leaves the state as it was (a lazy kind that throws must not have
   * changed anything yet). `reject(...)` answers an ask with `Rejected` and changes nothing.
   */
  handle(state: Static<S>, message: MessageOf<M>, context: Context): Effects<Static<S>> | Rejection | void;
  /** Reads a state saved under an older schema version. */
  upgrade?(state: unknown, schemaVersion: number): Static<S>;
  /** What replicas of the catalogue hold of this actor; null leaves it out. Eager kinds only. Pure. */
  view?(state: Static<S>, id: string): View | null;
  /** The view as a replica keeps it in memory, for kinds whose views are large: the same to whoever reads it, and smaller. Pure. */
  held?(view: View): View;
  /**
   * Lazy kinds: what changed after `published` (null: ever), as absolute totals to other actors. Sent after each save
   * and again on load while unconfirmed, so receivers must take repetitions and older totals without harm. Changes nothing: whoever was away is told more than others.
   */
  totals?(state: Static<S>, published: string | null, id: string): readonly Send[];
  /**
   * Lazy kinds: what `totals` said is durable with everybody up to `published`, so what is held for it alone may be let go of, in
   * place. The saved state may hold it for one save more: it is told again then.
   */
  told?(state: Static<S>, published: string): void;
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
export type AnyActorDefinition = ActorDefinition<any, any, any>;

/**
 * Declares a kind of actor.
 *
 * An actor `kind/id` always exists: the first message activates it, idleness passivates it.
 */
export function defineActor<S extends TObject, M extends MessageSchemas, View = unknown>(
  definition: ActorDefinition<S, M, View>,
): ActorDefinition<S, M, View> {
  return definition;
}
