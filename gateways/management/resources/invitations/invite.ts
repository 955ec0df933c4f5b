import Type, { type Static } from 'typebox';
import { account } from '#actors/account/account';
import type { AccountState } from '#actors/account/reduce';
import { Name, Uuid } from '#actors/api-schemas';
import type { DspState } from '#actors/dsp/reduce';
import { invitation } from '#actors/invitation/invitation';
import type { InvitationState } from '#actors/invitation/reduce';
import type { NameClaim } from '#actors/name/reservation';
import type { PublisherState } from '#actors/publisher/reduce';
import { Email, Role, type UserSource } from '#actors/user/fields';
import { emailNameId } from '#actors/user/reduce';
import { ApiError } from '#gateways/errors';
import { credentialId } from '#gateways/http/credential-id';
import type { ManagementDeps } from '../../deps.ts';
import { type Caller, isOperator } from '../../identity/caller.ts';
import { makeInvitationToken } from '../../identity/invitation-token.ts';
import { findUser } from '../../identity/passwords/log-in.ts';
import { defineRoute } from '../../routing/route.ts';
import {
  expiryIn,
  Hours,
  InvitationWithLink,
  linkExample,
  linkOf,
  SourceType,
  seesSource,
  showInvitation,
} from './invitation.ts';
import { loadInvitationContexts } from './invitation-context.ts';
import { openInvitations } from './open-invitations.ts';
import { withEmailClaimed } from './with-email-claimed.ts';

/**
 * The largest number of open invitations of one account. Concurrent requests do not see each other's invitations, so it
 * may be passed by a few, but not without bound.
 */
const MOST_OPEN = 100;

const Invite = Type.Object(
  {
    email: Email,
    name: Type.Optional(Name),
    role: Type.Enum(Role.enum, {
      description:
        '`source`: of the own people of the source that is named; `member`: acts for the account; `operator`: runs the exchange, and is invited by operators alone.',
    }),
    source: Type.Optional(Type.Object({ type: SourceType, id: Uuid }, { additionalProperties: false })),
    account_id: Type.Optional(
      Type.String({
        format: 'uuid',
        description: "Where an operator invites into another account; by default the own, or the source's.",
      }),
    ),
    expires_in_hours: Type.Optional(Hours),
  },
  { additionalProperties: false },
);
type Invite = Static<typeof Invite>;

export const inviteUser = defineRoute({
  method: 'POST',
  path: '/api/invitations',
  tag: 'Account',
  operationId: 'createInvitation',
  summary: 'Invite somebody to log in, by a link that is good once',
  description:
    'No mail is sent: the answer holds the link, to be given to whoever is invited. Members invite into their own account and to its sources, operators into any. With `X-User-Partner-ID`, to sources of that partner alone. 409 where the email is a user’s already, where an invitation to it is open (renew or revoke that), and past 100 open ones of an account.',
  access: 'session',
  body: Invite,
  errors: ['CONFLICT'],
  examples: {
    body: {
      email: linkExample.email,
      name: linkExample.name,
      role: 'source',
      source: { type: 'publisher', id: '00000000-0000-4000-8000-00000000000a' },
    },
    answer: linkExample,
  },
  answer: { status: 201, schema: InvitationWithLink, headers: { 'Cache-Control': 'no-store' } },
  async handle({ body, caller, identity, parts }) {
    const invited = await targetOfInvitation(parts, body, caller);
    const { email, name = '', role, expires_in_hours: hours } = body;
    const id = identity.newId;
    const token = makeInvitationToken(id, identity.claimId, parts.secretKey);
    const create = (emailClaim?: NameClaim) =>
      parts.messenger.ask(
        invitation,
        id,
        'create',
        {
          ...{ ...invited, email, name, role, tokenHash: credentialId(token), invitedBy: caller.by.userId },
          expiresAtMs: expiryIn(hours, parts.clock.now()),
          ...(emailClaim && { emailClaim }),
        },
        { requestId: identity.askId() },
      );
    // What this request created before is answered again, whoever claims the email now.
    const state = (await isCreated(parts, id))
      ? await create()
      : await withEmailClaimed(parts, { accountId: invited.accountId, email, id }, async (emailClaim) => {
          if (!(await isCreated(parts, id))) await assertNotInvited(parts, invited.accountId, email);
          return create(emailClaim);
        });
    const [context] = await loadInvitationContexts(parts, [state]);
    return { ...showInvitation(id, state, context!), url: linkOf(token, parts.settings) };
  },
});

/** The account that the user will act for, or the source whose people the user will belong to. */
async function targetOfInvitation(
  deps: ManagementDeps,
  { role, source, account_id: accountId }: Invite,
  caller: Caller,
): Promise<{ readonly accountId: string; readonly source: UserSource }> {
  if (role === 'operator' && !isOperator(caller)) throw new ApiError('FORBIDDEN', 'Only operators invite operators.');
  if ((role === 'source') !== (source !== undefined)) {
    throw new ApiError('VALIDATION_ERROR', 'source is for the role source, which needs it.', 'source');
  }
  if (source === undefined) {
    if (caller.partnerId !== null) throw new ApiError('FORBIDDEN', 'A partner invites to its sources alone.');
    return { accountId: await existingAccount(deps, accountId, caller), source: null };
  }
  const [document] = await deps.store.load([{ kind: source.type, id: source.id }]);
  const state = document && !document.deleted ? (document.state as PublisherState | DspState) : null;
  if (state === null || !seesSource(caller, state)) {
    throw new ApiError('VALIDATION_ERROR', 'source names no source that you have.', 'source');
  }
  if (state.status === 'archived') throw new ApiError('VALIDATION_ERROR', 'The source is archived.', 'source');
  if (accountId !== undefined && accountId !== state.accountId) {
    throw new ApiError('VALIDATION_ERROR', "account_id is not the source's.", 'account_id');
  }
  return { accountId: state.accountId, source };
}

async function existingAccount(
  { store }: Pick<ManagementDeps, 'store'>,
  given: string | undefined,
  caller: Caller,
): Promise<string> {
  if (given === undefined || given === caller.accountId) return caller.accountId;
  if (!isOperator(caller)) throw new ApiError('FORBIDDEN', 'Only operators invite into other accounts.');
  const [document] = await store.load([{ kind: account.kind, id: given }]);
  if ((document?.state as AccountState | undefined)?.open) return given;
  throw new ApiError('VALIDATION_ERROR', 'account_id names no account.', 'account_id');
}

async function isCreated({ store }: Pick<ManagementDeps, 'store'>, id: string): Promise<boolean> {
  const [document] = await store.load([{ kind: invitation.kind, id }]);
  const status = (document?.state as InvitationState | null | undefined)?.status;
  return status !== undefined && status !== 'absent';
}

/**
 * Throws CONFLICT when the email belongs to a user or has an open invitation, or when the account has too many. To be
 * called while the email is claimed, so that no other request creates an invitation to it after this look.
 */
async function assertNotInvited(deps: ManagementDeps, accountId: string, email: string): Promise<void> {
  if ((await findUser(email, deps)) !== null) throw new ApiError('CONFLICT', 'The email is taken: it is of a user.');
  const open = await openInvitations(deps, accountId);
  const [sameEmail] = open.filter(({ state }) => emailNameId(state.email) === emailNameId(email));
  if (sameEmail !== undefined) {
    throw new ApiError('CONFLICT', 'An invitation to this email is open: renew it, or revoke it first.');
  }
  if (open.length >= MOST_OPEN) {
    throw new ApiError('CONFLICT', `An account has at most ${MOST_OPEN} open invitations.`);
  }
}
