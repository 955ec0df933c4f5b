import { defineActor } from '../../runtime/actor/define-actor.ts';
import { projectionOf } from '../field-table.ts';
import { type AccountProjection, accountFields } from './fields.ts';
import { accountMessages } from './messages.ts';
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
  projection: (state, id): AccountProjection | null =>
    state.open ? { id, ...projectionOf(accountFields, state) } : null,
  indexes: ['createdAt'],
});
