import { defineActor } from '../../runtime/actor/define-actor.ts';
import { invitationMessages } from './messages.ts';
import { InvitationState, invitationHandlers, noInvitation } from './reduce.ts';

/**
 * An invitation: a link by which a person becomes a user, once. Id: a UUID, which the new user has too, so that no
 * invitation makes two users.
 */
export const invitation = defineActor({
  kind: 'invitation',
  schemaVersion: 1,
  saving: 'eager',
  state: InvitationState,
  messages: invitationMessages,
  initial: () => noInvitation,
  handlers: invitationHandlers,
  indexes: ['accountId', 'expiresAtMs'],
});
