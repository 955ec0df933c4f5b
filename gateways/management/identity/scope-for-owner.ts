import type { Scope, ScopedResource } from '#actors/account/scope';
import { type Caller, isOperator } from './caller.ts';

/**
 * The scope in which a caller sees an owner's resources. An operator has the scope of the owner's account, in the
 * environment of the call.
 */
export function scopeForOwner(caller: Caller, { accountId }: ScopedResource): Scope {
  return isOperator(caller) ? { accountId, partnerId: null, sandboxOnly: caller.sandbox } : caller.scope;
}
