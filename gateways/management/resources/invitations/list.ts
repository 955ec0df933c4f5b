import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { ApiError } from '#gateways/errors';
import { isOperator } from '../../identity/caller.ts';
import { optionalPaging, pageIn } from '../../lists/page-of.ts';
import { defineRoute } from '../../routing/route.ts';
import { Invitation, invitationExample, seesInvitation, showInvitation } from './invitation.ts';
import { loadInvitationContexts } from './invitation-context.ts';
import { openInvitations } from './open-invitations.ts';

export const listInvitations = defineRoute({
  method: 'GET',
  path: '/api/invitations',
  tag: 'Account',
  operationId: 'listInvitations',
  summary: 'List the open invitations of the account, newest first',
  description:
    'Who is invited, by whom and until when; the links are shown to nobody again. Those to operators are shown to operators. In the sandbox context, those to sandbox sources and to the account; for a partner, those to its sources.',
  access: 'session',
  query: Type.Object({
    account_id: Type.Optional(
      Type.String({ ...Uuid, description: 'Of another account, for operators; by default the own one.' }),
    ),
    ...optionalPaging,
  }),
  examples: { answer: { invitations: [invitationExample], total: 1 } },
  answer: {
    status: 200,
    schema: Type.Object({
      invitations: Type.Array(Invitation, { description: 'Open invitations.' }),
      total: Type.Integer(),
    }),
  },
  async handle({ query, caller, parts }) {
    const accountId = query.account_id ?? caller.accountId;
    if (accountId !== caller.accountId && !isOperator(caller)) {
      throw new ApiError('FORBIDDEN', 'Only operators see the invitations of other accounts.');
    }
    const open = await openInvitations(parts, accountId);
    const contexts = await loadInvitationContexts(
      parts,
      open.map(({ state }) => state),
    );
    const invitations = open.flatMap(({ id, state }, index) =>
      seesInvitation(caller, state, contexts[index]!) ? [showInvitation(id, state, contexts[index]!)] : [],
    );
    return { invitations: pageIn(invitations, query), total: invitations.length };
  },
});
