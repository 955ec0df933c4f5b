import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { invitation } from '#actors/invitation/invitation';
import { defineRoute } from '../../routing/route.ts';
import { loadInvitation } from './invitation.ts';

export const revokeInvitation = defineRoute({
  method: 'DELETE',
  path: '/api/invitations/:id',
  tag: 'Account',
  operationId: 'revokeInvitation',
  summary: 'Revoke an open invitation: its link is dead at once',
  description:
    'One that was accepted, revoked or has expired does not exist. 409 in the moment in which it is being accepted.',
  access: 'session',
  reach: { operators: 'every-account' },
  params: Type.Object({ id: Uuid }),
  errors: ['CONFLICT'],
  answer: { status: 204, schema: Type.Null() },
  async handle({ params: { id }, caller, identity, parts }) {
    await loadInvitation(parts, id, caller);
    await parts.messenger.ask(invitation, id, 'revoke', { atMs: parts.clock.now() }, { requestId: identity.askId() });
    return null;
  },
});
