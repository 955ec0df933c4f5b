import { defineActor } from '../../runtime/actor/define-actor.ts';
import { quotaMessages } from './messages.ts';
import { emptyQuota, QuotaState, quotaHandlers } from './reduce.ts';

/**
 * What an account has of one sort of resource, so that creations at the same moment, in whatever process, do not pass the limit
 * together. Id: `quotaId`.
 */
export const quota = defineActor({
  kind: 'quota',
  schemaVersion: 1,
  saving: 'eager',
  state: QuotaState,
  messages: quotaMessages,
  initial: () => emptyQuota,
  handlers: quotaHandlers,
});

/** `<account>:live:<resource>` or `<account>:sandbox:<resource>`. */
export function quotaId(accountId: string, sandbox: boolean, resource: string): string {
  return `${accountId}:${sandbox ? 'sandbox' : 'live'}:${resource}`;
}

/** Of the files that an account's creatives are made of. */
export function filesQuotaId(accountId: string, sandbox: boolean): string {
  return quotaId(accountId, sandbox, 'creative_files');
}
