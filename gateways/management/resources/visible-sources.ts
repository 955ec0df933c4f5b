import type { Condition } from '../../../runtime/ports/store.ts';
import type { Caller } from '../identity/caller.ts';

/**
 * The sources that a list shows: those of the caller's context, live or sandbox, of every status unless one is asked
 * for. Asking for `status=sandbox` outside the sandbox context shows the sandbox sources.
 */
export function visibleSources(caller: Caller, status?: 'active' | 'sandbox' | 'archived'): Record<string, Condition> {
  return {
    accountId: caller.accountId,
    sandbox: caller.sandbox || status === 'sandbox',
    ...(status === undefined ? {} : { status }),
    ...(caller.partnerId === null ? {} : { partnerId: caller.partnerId }),
  };
}
