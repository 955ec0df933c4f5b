import type { Condition } from '#runtime/ports/store';
import type { Caller } from '../identity/caller.ts';

/** The condition for all sources of the account or of the partner, in either environment. */
export function ownSourcesWhere({ accountId, partnerId }: Caller): Record<string, Condition> {
  return { accountId, ...(partnerId === null ? {} : { partnerId }) };
}

/**
 * The condition for the sources of a list: those of the caller's context, live or sandbox, of every status unless the
 * caller names one. A caller outside the sandbox context that asks for `status=sandbox` gets the sandbox sources.
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
