import Type, { type Static } from 'typebox';
import type { Context } from '../runtime/actor/context.ts';
import { Scope } from './account/scope.ts';

/** The key with which a source reads its own reports; null while none was made. */
export const SourceKey = Type.Union([
  Type.Object({
    /** The SHA-256 (hex) of the key, by which a request with the key finds its source. */
    id: Type.String(),
    /** The key, sealed by the gateway, so that the source's settings can show it. */
    sealed: Type.String(),
    /** ISO 8601, UTC. */
    createdAt: Type.String(),
  }),
  Type.Null(),
]);
export type SourceKey = Static<typeof SourceKey>;

export const sourceKeyMessages = {
  /**
   * Replaces the source's key, which ends at once; an archived source reads its statements with it. Answers the state.
   */
  'set-source-key': Type.Object({
    scope: Scope,
    id: Type.String({ minLength: 1 }),
    sealed: Type.String({ minLength: 1 }),
  }),
  /**
   * The same key, sealed under the present master secret in place of an earlier one; nothing happens unless `from` is
   * still stored.
   */
  'reseal-source-key': Type.Object({ from: Type.String({ minLength: 1 }), sealed: Type.String({ minLength: 1 }) }),
};

/** `state` with its key resealed; unchanged when the key has been replaced since. */
export function withResealedSourceKey<State extends { readonly sourceKey: SourceKey }>(
  state: State,
  { from, sealed }: Static<(typeof sourceKeyMessages)['reseal-source-key']>,
): State {
  if (state.sourceKey?.sealed !== from) return state;
  return { ...state, sourceKey: { ...state.sourceKey, sealed } };
}

/** `state` with the new key. The revision stays: nothing that the account has written changes. */
export function withSourceKey<State extends { readonly sourceKey: SourceKey }>(
  state: State,
  { id, sealed }: Static<(typeof sourceKeyMessages)['set-source-key']>,
  context: Context,
): State {
  return { ...state, sourceKey: { id, sealed, createdAt: new Date(context.nowMs).toISOString() } };
}
