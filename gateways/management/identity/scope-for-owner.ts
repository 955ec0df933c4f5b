import type { Scope, ScopedResource } from '../../../actors/account/scope.ts';
import { type Caller, isOperator } from './caller.ts';

/** With whose eyes a caller sees what somebody owns: an operator's are those of the owner's account, in the context that it asks in. */
export function scopeForOwner(caller: Caller, { accountId }: ScopedResource): Scope {
  return isOperator(caller) ? { accountId, partnerId: null, sandboxOnly: caller.sandbox } : caller.scope;
}
