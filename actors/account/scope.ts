import Type, { type Static } from 'typebox';
import { type Rejection, reject } from '../../runtime/actor/rejection.ts';

/** The scope of a request: which resources it may see. Resources outside the scope do not exist for it. */
export const Scope = Type.Object({
  accountId: Type.String(),
  /** The one partner of the account that the scope is narrowed to; null sees all. */
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

/** Whether `owned` exists for `scope`. The account id '' marks a resource that was never created. */
export function isInScope(scope: Scope, owned: ScopedResource): boolean {
  if (owned.accountId === '' || owned.accountId !== scope.accountId) return false;
  if (scope.partnerId !== null && owned.partnerId !== undefined && owned.partnerId !== scope.partnerId) return false;
  return !(scope.sandboxOnly && owned.sandbox === false);
}

/** The refusal for a resource outside the scope; `what` is a noun, `The supply source`. */
export function notFound(what: string): Rejection {
  return reject('NOT_FOUND', `${what} does not exist.`);
}
