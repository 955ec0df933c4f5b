import Type, { type Static } from 'typebox';
import type { Context } from '../runtime/actor/context.ts';
import { type Rejection, reject } from '../runtime/actor/rejection.ts';

/** What an account changes bit by bit counts its changes, so that whoever changes it can say which state they saw. */
export interface Revisioned {
  /** 1 when created, one more with each change; 0 while nothing was created. */
  readonly revision: number;
  /** ISO 8601, UTC. */
  readonly updatedAt: string;
}

/** The revisions of which one must be the actor's for a change to be made. Absent: any. */
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
