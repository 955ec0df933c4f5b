import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { invitation } from '#actors/invitation/invitation';
import { ApiError } from '#gateways/errors';
import { credentialId } from '#gateways/http/credential-id';
import { makeInvitationToken } from '../../identity/invitation-token.ts';
import { defineRoute } from '../../routing/route.ts';
import {
  expiryIn,
  Hours,
  InvitationWithLink,
  linkExample,
  linkOf,
  loadInvitation,
  showInvitation,
} from './invitation.ts';
import { isSourceAvailable, loadInvitationContexts } from './invitation-context.ts';

export const renewInvitation = defineRoute({
  method: 'POST',
  path: '/api/invitations/:id/renew',
  tag: 'Account',
  operationId: 'renewInvitation',
  summary: 'Make a new link for an open invitation; the one before is dead at once',
  description:
    'It stands on the right of whoever renews it from here on. 409 where its source is archived, and in the moment in which it is being accepted.',
  access: 'session',
  reach: { operators: 'every-account' },
  params: Type.Object({ id: Uuid }),
  body: Type.Object({ expires_in_hours: Type.Optional(Hours) }, { additionalProperties: false }),
  errors: ['CONFLICT'],
  examples: { body: { expires_in_hours: 24 }, answer: linkExample },
  answer: { status: 201, schema: InvitationWithLink, headers: { 'Cache-Control': 'no-store' } },
  async handle({ params: { id }, body, caller, identity, parts }) {
    const { state: before, around: context } = await loadInvitation(parts, id, caller);
    if (!isSourceAvailable(before, context.source)) throw new ApiError('CONFLICT', 'The source is archived.');
    const token = makeInvitationToken(id, identity.claimId, parts.secretKey);
    const atMs = parts.clock.now();
    const state = await parts.messenger.ask(
      invitation,
      id,
      'renew',
      {
        ...{ tokenHash: credentialId(token), invitedBy: caller.by.userId, atMs },
        expiresAtMs: expiryIn(body.expires_in_hours, atMs),
      },
      { requestId: identity.askId() },
    );
    const [renewed] = await loadInvitationContexts(parts, [state]);
    return { ...showInvitation(id, state, renewed!), url: linkOf(token, parts.settings) };
  },
});
