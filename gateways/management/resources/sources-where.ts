import type { Condition } from '../../../runtime/ports/store.ts';
import type { Caller } from '../identity/caller.ts';

/** All sources of the account, or of the partner, in whichever environment. */
export function ownSourcesWhere({ accountId, partnerId }: Caller): Record<string, Condition> {
  return { accountId, ...(partnerId === null ? {} : { partnerId }) };
}

/**
 * The sources that a list shows: those of the caller's context, live or sandbox, of every status unless one is asked
 * for. Asking for `status=sandbox` outside the sandbox context shows the sandbox sources.
 */
export function visibleSourcesWhere(
  caller: Caller,
  status?: 'active' | 'sandbox' | 'archived',
): Record<string, Condition> {
  return {
    ...ownSourcesWhere(caller),
    sandbox: caller.sandbox || status === 'sandbox',
    ...(status === undefined ? {} : { status }),
  };
}
