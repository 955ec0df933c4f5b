import { defineActor } from '../../runtime/actor/define-actor.ts';
import { quotaMessages } from './messages.ts';
import { emptyQuota, QuotaState, quotaHandlers } from './reduce.ts';

/**
 * The quota of an account for one sort of resource, so that creations at the same moment, in any process, do not exceed
 * the limit together. Id: `quotaId`.
 */
export const quota = defineActor({
  kind: 'quota',
  schemaVersion: 1,
  saving: 'eager',
  audit: { none: 'They count resources, whose changes are entries.' },
  state: QuotaState,
  messages: quotaMessages,
  initial: () => emptyQuota,
  handlers: quotaHandlers,
});

/** `<account>:live:<resource>` or `<account>:sandbox:<resource>`. */
export function quotaId(accountId: string, sandbox: boolean, resource: string): string {
  return `${accountId}:${sandbox ? 'sandbox' : 'live'}:${resource}`;
}

/** The id of the quota of the files that an account's creatives consist of. */
export function filesQuotaId(accountId: string, sandbox: boolean): string {
  return quotaId(accountId, sandbox, 'creative_files');
}
