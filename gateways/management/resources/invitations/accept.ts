import Type from 'typebox';
import { Name } from '#actors/api-schemas';
import type { Requester } from '#actors/audit-entry/audit-entry';
import { invitation } from '#actors/invitation/invitation';
import type { InvitationState } from '#actors/invitation/reduce';
import { emailNameId, isActive, type UserState } from '#actors/user/reduce';
import { user } from '#actors/user/user';
import { ApiError } from '#gateways/errors';
import { Rejected } from '#runtime/actor/errors';
import { auditedMessenger } from '../../audit-trail/audited-messenger.ts';
import { createNamed } from '../../changes/create-named.ts';
import type { ManagementDeps } from '../../deps.ts';
import { isCrossSiteForgery } from '../../identity/cross-site-requests.ts';
import { createDeviceCookie } from '../../identity/passwords/device-cookie.ts';
import { emailDigest } from '../../identity/passwords/log-in.ts';
import { hashPassword, isPassword } from '../../identity/passwords/password-hash.ts';
import type { RequestIds } from '../../identity/request-ids.ts';
import { sessionTokenOf } from '../../identity/session-token.ts';
import { endSession, openSession } from '../../identity/sessions.ts';
import { withinQuota } from '../../quotas/within-quota.ts';
import { defineRoute } from '../../routing/route.ts';
import { originRules } from '../../shell/own-origins.ts';
import { userExample } from '../users/example.ts';
import { NewPassword, showUser, User } from '../users/user.ts';
import { invitationByToken, invitationNotFound } from './invitation-by-token.ts';
import { Token, tokenExample } from './look-up.ts';

const accepted: User = {
  ...userExample,
  role: 'source',
  source: { type: 'publisher', id: '00000000-0000-4000-8000-00000000000a' },
};

export const acceptInvitation = defineRoute({
  method: 'POST',
  path: '/api/invitations/accept',
  tag: 'Account',
  operationId: 'acceptInvitation',
  summary: 'Become a user by an invitation: answers the user, and the cookie of a session',
  description:
    'Once: of several at the same moment one is answered 201. 404 and 429 as `POST /api/invitations/look-up`. 409 where the email has become a user’s since, where the account has as many users as it may, and while another is accepting it.',
  access: 'public',
  body: Type.Object(
    { token: Token, password: NewPassword, name: Type.Optional(Name) },
    { additionalProperties: false },
  ),
  bodyLimitBytes: 4096,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  examples: {
    body: { token: tokenExample, password: 'a phrase that only Ann knows', name: userExample.name },
    answer: { user: accepted },
  },
  answer: { status: 201, schema: Type.Object({ user: User }), headers: { 'Cache-Control': 'no-store' } },
  async handle({ body, request, identity, byUser, parts }) {
    // The check keeps another site from logging its visitor in as a user of its own choice.
    if (isCrossSiteForgery(request, originRules(parts.settings))) {
      throw new ApiError('FORBIDDEN', 'Another site may not log its visitors in.');
    }
    const shown = await invitationByToken(parts, body.token, request.countedAddress);
    const passwordHash = await hashPassword(body.password, parts.settings.passwordHashCost);
    const { invitationId: id, hash: tokenHash, state } = shown;
    const by = byUser(id, state.accountId);
    const created = await withInvitationTaken(parts, id, tokenHash, identity, by, (taken) =>
      makeUser(parts, { id, taken, passwordHash, name: body.name ?? taken.name, identity, by }),
    );
    if (!isActive(created)) throw invitationNotFound();
    // Another attempt of this request may have created the user and died before it answered; a caller that knows the
    // password is the same person.
    const own = created.passwordHash === passwordHash || (await isPassword(body.password, created.passwordHash));
    if (!own) throw invitationNotFound();
    const replaced = sessionTokenOf(request.header('Cookie'), parts.settings);
    if (replaced !== null) await endSession(parts, replaced, byUser);
    const { token } = await openSession(parts, id, created, by);
    request.giveSession(token);
    request.giveDevice(createDeviceCookie(emailDigest(created.email), parts));
    return { user: showUser(id, created) };
  },
});

/** Runs `createUser` while no other request can accept, renew or revoke the invitation; the invitation ends with it. */
async function withInvitationTaken(
  { messenger, clock }: ManagementDeps,
  id: string,
  tokenHash: string,
  { claimId: claim }: RequestIds,
  by: Requester,
  createUser: (taken: InvitationState) => Promise<UserState>,
): Promise<UserState> {
  const taken = await messenger.ask(invitation, id, 'take', {
    ...{ tokenHash, claim, atMs: clock.now() },
  });
  let created: UserState;
  try {
    created = await createUser(taken);
  } catch (error) {
    if (error instanceof Rejected || error instanceof ApiError) {
      await messenger.tell(invitation, id, 'let-go', { claim }).catch(() => undefined);
    }
    throw error;
  }
  await messenger.ask(invitation, id, 'accept', { claim }, { by });
  return created;
}

interface AcceptedInvitation {
  /** The id of the invitation, which the new user takes over. */
  readonly id: string;
  readonly taken: InvitationState;
  readonly passwordHash: string;
  readonly name: string;
  readonly identity: RequestIds;
  readonly by: Requester;
}

async function makeUser(deps: ManagementDeps, acceptance: AcceptedInvitation): Promise<UserState> {
  const { id, taken, passwordHash, name, identity, by } = acceptance;
  const { accountId, email, role, source } = taken;
  const traced = { ...deps, messenger: auditedMessenger(deps.messenger, by) };
  const holding = { accountId, sandbox: false, resource: 'users', id, bytes: 0 } as const;
  return withinQuota(deps, holding, () =>
    createNamed(deps, {
      ...{ address: `${user.kind}/${id}`, identity, field: 'email', nameId: emailNameId(email) },
      ask: (nameClaim, requestId) =>
        traced.messenger.ask(
          user,
          id,
          'create',
          { ...{ accountId, email, name, role, source, passwordHash, nameClaim } },
          { requestId },
        ),
    }),
  );
}
