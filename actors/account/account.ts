import { defineActor } from '../../runtime/actor/define-actor.ts';
import { accountMessages } from './messages.ts';
import type { AccountProjection } from './projection.ts';
import { AccountState, accountHandlers, noAccount } from './reduce.ts';

/** An account: pays and owns. Each source, pool and key belongs to one account. Id: a UUID. */
export const account = defineActor({
  kind: 'account',
  schemaVersion: 2,
  saving: 'eager',
  state: AccountState,
  messages: accountMessages,
  initial: () => noAccount,
  handlers: accountHandlers,
  projection: (
    { open, name, tier, requestsPerMinute, limits = {}, sandboxLimits = {} },
    id,
  ): AccountProjection | null => (open ? { id, name, tier, requestsPerMinute, limits, sandboxLimits } : null),
  indexes: ['createdAt'],
});
