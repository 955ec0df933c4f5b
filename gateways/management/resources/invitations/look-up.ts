import Type from 'typebox';
import { Nullable } from '#actors/api-schemas';
import { Role } from '#actors/user/fields';
import { TOKEN_CHARACTERS } from '../../identity/invitation-token.ts';
import { defineRoute } from '../../routing/route.ts';
import { invitationExample, linkExample, SourceType } from './invitation.ts';
import { invitationByToken } from './invitation-by-token.ts';

export const Token = Type.String({
  minLength: 1,
  maxLength: 2 * TOKEN_CHARACTERS,
  description: 'What stands behind `#` in the link.',
});

export const tokenExample = linkExample.url.slice(linkExample.url.indexOf('#') + 1);

export const lookUpInvitation = defineRoute({
  method: 'POST',
  path: '/api/invitations/look-up',
  tag: 'Account',
  operationId: 'lookUpInvitation',
  summary: 'Read what an invitation is to, by the token of its link',
  description:
    'For the page that the link opens; it changes nothing. A link that was used, revoked or renewed, or has expired, is 404 like one that never was; so is one to an archived source, or from somebody who may not invite any more. Past fifty of those within 15 minutes from one address it is 429.',
  access: 'public',
  body: Type.Object({ token: Token }, { additionalProperties: false }),
  bodyLimitBytes: 4096,
  errors: ['NOT_FOUND'],
  trail: 'none',
  examples: {
    body: { token: tokenExample },
    answer: {
      exchange: 'exchange.example',
      account: 'Example Publishing',
      role: 'source',
      source: { type: 'publisher', name: 'Harbour News' },
      email: invitationExample.email,
      name: invitationExample.name,
      expires_at: invitationExample.expires_at,
    },
  },
  answer: {
    status: 200,
    schema: Type.Object(
      {
        exchange: Type.String({ description: 'The domain of the exchange.' }),
        account: Type.String({ description: 'The name of the account.' }),
        role: Type.Enum(Role.enum),
        source: Nullable(Type.Object({ type: SourceType, name: Type.String() })),
        email: Type.String({ description: 'What to log in with.' }),
        name: Type.String({ description: "As whoever invited wrote it; '' where nothing was written." }),
        expires_at: Type.String({ format: 'date-time', description: 'Until when the link is taken.' }),
      },
      { title: 'InvitationShown' },
    ),
    headers: { 'Cache-Control': 'no-store' },
  },
  async handle({ body, request, parts }) {
    const { state, account, source } = await invitationByToken(parts, body.token, request.countedAddress);
    return {
      exchange: parts.settings.exchangeDomain,
      account: account.name,
      role: state.role,
      source: state.source && { type: state.source.type, name: source?.name ?? '' },
      email: state.email,
      name: state.name,
      expires_at: new Date(state.expiresAtMs).toISOString(),
    };
  },
});
