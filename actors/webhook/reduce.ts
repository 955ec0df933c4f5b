import Type, { type Static } from 'typebox';
import type { Context, Send } from '../../runtime/actor/context.ts';
import { handlersOf } from '../../runtime/actor/define-actor.ts';
import { Rejection } from '../../runtime/actor/rejection.ts';
import { absent, type Scope, sees } from '../account/scope.ts';
import { answerForClaim, BorneName, nameId, shed } from '../name/bearing.ts';
import { changeUnderName, createAgain } from '../name/change.ts';
import { type Expecting, revised, unexpected } from '../revision.ts';
import { WebhookEvent, webhookMessages } from './messages.ts';

export const WebhookState = Type.Object({
  /** '' while nothing was created. */
  accountId: Type.String(),
  /** Tells of this partner's sources alone; null: of all. */
  partnerId: Type.Union([Type.String(), Type.Null()]),
  /** Which environment's events it tells of. */
  sandbox: Type.Boolean(),
  /** The URL, as a name that no other webhook of the account and environment bears. */
  borneName: BorneName,
  url: Type.String(),
  events: Type.Array(WebhookEvent),
  sealedSecret: Type.String(),
  /** What signs too until then, ms since the epoch. */
  formerSecret: Type.Union([
    Type.Object({ sealedSecret: Type.String(), untilMs: Type.Integer({ minimum: 0 }) }),
    Type.Null(),
  ]),
  status: Type.Enum(['absent', 'active', 'disabled']),
  /** ISO 8601, UTC; and why. Null while it is active. */
  disabledAt: Type.Union([Type.String(), Type.Null()]),
  disabledReason: Type.Union([Type.String(), Type.Null()]),
  /** Whether the account's roll knows of it: null of one that an older release saved. */
  enrolled: Type.Union([Type.Literal(true), Type.Null()]),
  /** Of the resource: 1 when created, one more with each change. */
  revision: Type.Integer({ minimum: 0 }),
  /** ISO 8601, UTC. */
  createdAt: Type.String(),
  updatedAt: Type.String(),
});
export type WebhookState = Static<typeof WebhookState>;

export const noWebhook: WebhookState = {
  accountId: '',
  partnerId: null,
  sandbox: false,
  borneName: null,
  url: '',
  events: [],
  sealedSecret: '',
  formerSecret: null,
  status: 'absent',
  disabledAt: null,
  disabledReason: null,
  enrolled: null,
  revision: 0,
  createdAt: '',
  updatedAt: '',
};

/**
 * `urlDigest` stands for the URL, which would make too long an id, and of which the case matters: a digest in hex.
 */
export function webhookNameId(of: Pick<WebhookState, 'accountId' | 'sandbox'>, urlDigest: string): string {
  return nameId(of.accountId, `webhook:${of.sandbox ? 'sandbox' : 'live'}`, urlDigest);
}

export const webhookHandlers = handlersOf(WebhookState, webhookMessages, {
  create(state, { nameClaim, ...fields }, context) {
    if (state.status !== 'absent') return createAgain(state, fields.accountId);
    const createdAt = new Date(context.nowMs).toISOString();
    const created: WebhookState = { ...noWebhook, ...fields, status: 'active', enrolled: true, createdAt };
    const creation = changeUnderName(created, nameClaim.nameId, nameClaim, context);
    if (creation instanceof Rejection) return creation;
    return { ...creation, sends: [...(creation.sends ?? []), enrolment(created, context)] };
  },
  update(state, { scope, expecting, events = state.events, activate }, context) {
    const refusal = refused(state, scope, expecting);
    if (refusal !== null) return refusal;
    const active = { status: 'active' as const, disabledAt: null, disabledReason: null };
    const updated = revised({ ...state, events, ...(activate ? active : {}) }, context);
    return { state: updated, reply: updated, sends: [enrolment(updated, context)] };
  },
  rotate(state, { scope, expecting, sealedSecret, keepFormerMs }, context) {
    const refusal = refused(state, scope, expecting);
    if (refusal !== null) return refusal;
    const formerSecret = { sealedSecret: state.sealedSecret, untilMs: context.nowMs + keepFormerMs };
    const rotated = revised({ ...state, sealedSecret, formerSecret }, context);
    return { state: rotated, reply: rotated };
  },
  remove(state, { scope, expecting }, context) {
    const refusal = refused(state, scope, expecting);
    if (refusal !== null) return refusal;
    const abandon: Send = {
      to: `webhook-lane/${context.id}`,
      type: 'abandon',
      body: { reason: 'the webhook was deleted' },
    };
    const sends = [...shed(state.borneName, context), strike(state, context), abandon];
    return { state: null, reply: state, sends };
  },
  disable(state, { reason }, context) {
    if (state.status !== 'active') return {};
    const disabledAt = new Date(context.nowMs).toISOString();
    const disabled = { ...state, status: 'disabled' as const, disabledAt, disabledReason: reason };
    return { state: revised(disabled, context), sends: [enrolment(disabled, context)] };
  },
  enrol(state, _body, context) {
    if (state.status === 'absent') return {};
    return { state: { ...state, enrolled: true }, sends: [enrolment(state, context)] };
  },
  reseal(state, { secrets }) {
    const anew = (kept: string) => secrets.find(({ from }) => from === kept)?.sealed ?? kept;
    const { sealedSecret, formerSecret } = state;
    const former = formerSecret && { ...formerSecret, sealedSecret: anew(formerSecret.sealedSecret) };
    return { state: { ...state, sealedSecret: anew(sealedSecret), formerSecret: former } };
  },
  'answer-for-claim': (state, body, context) => ({ sends: answerForClaim(state.borneName, body, context) }),
});

/** Why an account may not make the change that it asks for; null when it may. */
function refused(state: WebhookState, scope: Scope, expecting: Expecting): Rejection | null {
  return sees(scope, state) ? unexpected(state, expecting) : absent('The webhook');
}

/** What the account's roll is told of the webhook as it is now. */
function enrolment(state: WebhookState, context: Context): Send {
  if (state.status !== 'active') return strike(state, context);
  const { accountId, partnerId, sandbox, events } = state;
  return {
    to: `webhook-roll/${accountId}`,
    type: 'enrol',
    body: { webhookId: context.id, partnerId, sandbox, events },
  };
}

function strike({ accountId }: WebhookState, context: Context): Send {
  return { to: `webhook-roll/${accountId}`, type: 'strike', body: { webhookId: context.id } };
}
