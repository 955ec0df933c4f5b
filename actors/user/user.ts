import { defineActor } from '../../runtime/actor/define-actor.ts';
import { userMessages } from './messages.ts';
import { noUser, UserState, userHandlers } from './reduce.ts';

/** A person who logs in, on behalf of one account. Id: a UUID. */
export const user = defineActor({
  kind: 'user',
  schemaVersion: 1,
  saving: 'eager',
  state: UserState,
  messages: userMessages,
  initial: () => noUser,
  handlers: userHandlers,
  indexes: ['accountId', 'createdAt', 'borneName.nameId'],
});
