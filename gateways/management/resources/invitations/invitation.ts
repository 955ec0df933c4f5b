import Type, { type Static } from 'typebox';
import { isInScope, type ScopedResource } from '#actors/account/scope';
import { Nullable, Timestamp, Uuid } from '#actors/api-schemas';
import { invitation } from '#actors/invitation/invitation';
import type { InvitationState } from '#actors/invitation/reduce';
import { Role } from '#actors/user/fields';
import { ApiError } from '#gateways/errors';
import type { ManagementDeps } from '../../deps.ts';
import { type Caller, isOperator } from '../../identity/caller.ts';
import { scopeForOwner } from '../../identity/scope-for-owner.ts';
import { type InvitationContext, isSourceAvailable, loadInvitationContexts, mayInvite } from './invitation-context.ts';

export const SourceType = Type.Enum(['publisher', 'dsp'], {
  description: '`publisher`: a supply source; `dsp`: a demand source.',
});

/** An invitation as the API shows it to callers that may invite; it never contains the link. */
export const Invitation = Type.Object(
  {
    id: Uuid,
    account_id: Type.String({ description: 'The account that the user will act for, or whose source it is.' }),
    email: Type.String({ description: 'What the user will log in with.' }),
    name: Type.String(),
    role: Type.Enum(Role.enum),
    source: Nullable(
      Type.Object(
        { type: SourceType, id: Uuid, name: Type.String({ description: 'Its name now.' }) },
        { description: 'Of the role `source`: whose people the user will be of.' },
      ),
    ),
    state: Type.Enum(['open', 'void'], {
      description:
        '`void`: the link is not taken, since the source is archived or whoever invited may not any more; somebody who may renews it.',
    }),
    invited_by: Type.Object(
      { id: Uuid, name: Type.String({ description: 'The name, or else the email.' }) },
      { description: 'The user whose right it stands on: who made the link.' },
    ),
    created_at: Timestamp,
    expires_at: Type.String({ format: 'date-time', description: 'Until when the link is taken.' }),
  },
  { title: 'Invitation' },
);
export type Invitation = Static<typeof Invitation>;

/** An invitation with its link, which is shown once, to the caller that creates it. */
export const InvitationWithLink = Type.Object(
  {
    ...Invitation.properties,
    url: Type.String({
      format: 'uri',
      description:
        'The link, to be given to whoever is invited: it is shown this once. The token stands in the fragment, which browsers tell no server.',
    }),
  },
  { title: 'InvitationWithLink' },
);

export const invitationExample: Invitation = {
  id: '6b1f9f0e-2c4d-4a4e-9d5c-0b7a3e1f5c11',
  account_id: '00000000-0000-4000-8000-000000000001',
  email: 'ann@publisher.example',
  name: 'Ann',
  role: 'source',
  source: { type: 'publisher', id: '00000000-0000-4000-8000-00000000000a', name: 'Harbour News' },
  state: 'open',
  invited_by: { id: '0d8f2c1e-5b7a-4f57-9a63-2f1c9a4be001', name: 'Bob' },
  created_at: '2026-03-01T09:30:00.000Z',
  expires_at: '2026-03-04T09:30:00.000Z',
};

export const linkExample = {
  ...invitationExample,
  url: 'https://exchange.example/invitation#6b1f9f0e-2c4d-4a4e-9d5c-0b7a3e1f5c11.m2kQ7vN1xR9sT4bW8yZ3cA',
};

const DEFAULT_HOURS = 72;
const MOST_HOURS = 168;
export const Hours = Type.Integer({
  minimum: 1,
  maximum: MOST_HOURS,
  default: DEFAULT_HOURS,
  description: 'How long the link is taken.',
});

/** The end of a link that is issued now, in ms since the epoch. */
export function expiryIn(hours: number | undefined, nowMs: number): number {
  return nowMs + (hours ?? DEFAULT_HOURS) * 3_600_000;
}

export function linkOf(token: string, { publicBaseUrl }: { readonly publicBaseUrl: string }): string {
  return `${publicBaseUrl}/invitation#${token}`;
}

export function showInvitation(id: string, state: InvitationState, context: InvitationContext): Invitation {
  const { source } = state;
  const { inviter } = context;
  const inviterName = inviter?.name || (inviter?.accountId === state.accountId ? inviter.email : '');
  return {
    id,
    account_id: state.accountId,
    email: state.email,
    name: state.name,
    role: state.role,
    source: source && { ...source, name: context.source?.name ?? source.id },
    state: mayInvite(state, inviter) && isSourceAvailable(state, context.source) ? 'open' : 'void',
    invited_by: { id: state.invitedBy, name: inviterName || state.invitedBy },
    created_at: state.createdAt,
    expires_at: new Date(state.expiresAtMs).toISOString(),
  };
}

/**
 * Whether the invitation exists for the caller: it is of the caller's account, and its source, if any, is visible. Only
 * operators see the invitation of an operator.
 */
export function seesInvitation(caller: Caller, state: InvitationState, { source }: InvitationContext): boolean {
  if (!isOperator(caller) && (state.accountId !== caller.accountId || state.role === 'operator')) return false;
  if (state.source === null) return caller.partnerId === null;
  return source !== null && seesSource(caller, source);
}

/**
 * Whether the caller sees the source: it is of the caller's account (any account for operators) and environment. An
 * operator who acts for a partner sees the sources of that partner.
 */
export function seesSource(caller: Caller, source: ScopedResource): boolean {
  if (!isInScope(scopeForOwner(caller, source), source)) return false;
  return caller.partnerId === null || source.partnerId === caller.partnerId;
}

/** Loads an open invitation; NOT_FOUND for one that has ended, or does not exist for the caller. */
export async function loadInvitation(
  deps: Pick<ManagementDeps, 'store' | 'clock'>,
  id: string,
  caller: Caller,
): Promise<{ readonly state: InvitationState; readonly around: InvitationContext }> {
  const [document] = await deps.store.load([{ kind: invitation.kind, id }]);
  const state = document && !document.deleted ? (document.state as InvitationState) : null;
  if (state?.status === 'open' && state.expiresAtMs > deps.clock.now()) {
    const [context] = await loadInvitationContexts(deps, [state]);
    if (seesInvitation(caller, state, context!)) return { state, around: context! };
  }
  throw new ApiError('NOT_FOUND', 'The invitation does not exist, or has ended.');
}
