import Type, { type Static } from 'typebox';
import { type Rejection, reject } from '../../runtime/actor/rejection.ts';

/** Whose eyes a request sees with. What it may not see does not exist for it. */
export const Scope = Type.Object({
  accountId: Type.String(),
  /** Narrows to one partner of the account; null sees all. */
  partnerId: Type.Union([Type.String(), Type.Null()]),
  /** True in the sandbox, where live sources do not exist. */
  sandboxOnly: Type.Boolean(),
});
export type Scope = Static<typeof Scope>;

export interface ScopedResource {
  readonly accountId: string;
  readonly partnerId?: string | null;
  readonly sandbox?: boolean;
}

/** Whether `owned` exists for `scope`. An account id of '' belongs to nobody: nothing was created there. */
export function isInScope(scope: Scope, owned: ScopedResource): boolean {
  if (owned.accountId === '' || owned.accountId !== scope.accountId) return false;
  if (scope.partnerId !== null && owned.partnerId !== undefined && owned.partnerId !== scope.partnerId) return false;
  return !(scope.sandboxOnly && owned.sandbox === false);
}

/** The refusal for what a scope does not see; `what` is a noun, `The supply source`. */
export function notFound(what: string): Rejection {
  return reject('NOT_FOUND', `${what} does not exist.`);
}
