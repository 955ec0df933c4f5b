import type { ActorDocument, CachedReply } from '../ports/store.ts';
import type { Kind } from './kind-registry.ts';

/**
 * The state of a document as this program has it. Throws for one that a newer program wrote, or that breaks its schema.
 */
export function readState(kind: Kind, id: string, document: ActorDocument): unknown {
  const { definition } = kind;
  if (document.schema > definition.schemaVersion) {
    throw new NewerSchema(
      `${definition.kind}/${id} has schema ${document.schema}; this program knows ${definition.schemaVersion}`,
    );
  }
  let { state } = document;
  if (document.schema < definition.schemaVersion) {
    if (!definition.upgrade) throw new Error(`${definition.kind} cannot read schema ${document.schema}`);
    state = definition.upgrade(state, document.schema);
  } else if (definition.atRest) state = definition.atRest.unpack(state);
  if (!kind.stateValidator.check(state)) {
    throw new Error(`the saved state of ${definition.kind}/${id} breaks its schema`);
  }
  return state;
}

/** What an older program has answered with the state is answered again as this one has it; all else as it was. */
export function readReplies(kind: Kind, { schema, replies }: ActorDocument): Readonly<Record<string, CachedReply>> {
  if (!kind.definition.upgrade || schema >= kind.definition.schemaVersion) return replies;
  return Object.fromEntries(
    Object.entries(replies).map(([requestId, reply]) => {
      const state = upgradedReply(kind, schema, (reply.payload as { readonly value?: unknown }).value);
      return [requestId, state === undefined ? reply : { ...reply, payload: { value: state } }];
    }),
  );
}

/** Undefined of an answer that is no state: the upgrade makes none of it. */
function upgradedReply({ definition, stateValidator }: Kind, schema: number, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    const state = definition.upgrade?.(value, schema);
    return stateValidator.check(state) ? state : undefined;
  } catch {
    return undefined;
  }
}

/** Law 7: a program refuses state that a newer one wrote. */
class NewerSchema extends Error {
  override readonly name = 'NewerSchema';
}
