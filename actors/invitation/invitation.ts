import { defineActor } from '../../runtime/actor/define-actor.ts';
import { invitationMessages } from './messages.ts';
import { InvitationState, invitationHandlers, noInvitation } from './reduce.ts';

/**
 * A link by which somebody becomes a user, once. Id: a UUID, which the user that comes of it has too: so that no invitation makes two.
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
