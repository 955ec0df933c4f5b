import Type, { type Static } from 'typebox';
import type { Context } from '../runtime/actor/context.ts';
import { type Rejection, reject } from '../runtime/actor/rejection.ts';

/** A resource that counts its changes, so that a change can name the state that its author saw. */
export interface Revisioned {
  /** 1 when created, one more with each change; 0 while nothing was created. */
  readonly revision: number;
  /** ISO 8601, UTC. */
  readonly updatedAt: string;
}

/** The expected revisions: a change is made only if the actor's revision is one of them. Absent: any. */
export const ExpectedRevisions = Type.Optional(Type.Array(Type.Integer()));
export type ExpectedRevisions = Static<typeof ExpectedRevisions> | undefined;

/** `next` as one more change. */
export function withNextRevision<State extends Revisioned>(next: State, context: Context): State {
  return { ...next, revision: next.revision + 1, updatedAt: new Date(context.nowMs).toISOString() };
}

/** The refusal of a change that was meant for another revision (RFC 9110 §13.1.1); null when it may be made. */
export function revisionConflict({ revision }: Revisioned, expecting: ExpectedRevisions): Rejection | null {
  if (expecting === undefined || expecting.includes(revision)) return null;
  return reject('PRECONDITION_FAILED', 'The resource has changed since it was read.');
}
