import { isInScope, type Scope, type ScopedResource } from '#actors/account/scope';
import { ApiError } from '../../errors.ts';
import type { ManagementDeps } from '../deps.ts';

/**
 * Loads the saved state of an actor that `scope` sees; NOT_FOUND for all others. `what` is a noun, such as `The pool`.
 */
export async function loadVisible<State extends ScopedResource>(
  { store }: ManagementDeps,
  kind: string,
  id: string,
  scope: Scope,
  what: string,
): Promise<State> {
  const [document] = await store.load([{ kind, id }]);
  const state = document && !document.deleted ? (document.state as State) : null;
  if (state === null || !isInScope(scope, state))
    throw new ApiError('NOT_FOUND', `${what} does not exist${scope.sandboxOnly ? ' in the sandbox' : ''}.`);
  return state;
}
