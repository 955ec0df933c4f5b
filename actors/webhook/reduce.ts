import Type, { type Static } from 'typebox';
import type { Context, Send } from '../../runtime/actor/context.ts';
import type { Effects, MessageOf } from '../../runtime/actor/define-actor.ts';
import { Rejection } from '../../runtime/actor/rejection.ts';
import { absent, sees } from '../account/scope.ts';
import { answerForClaim, BorneName, nameId, shed } from '../name/bearing.ts';
import { changeUnderName, createAgain } from '../name/change.ts';
import { revised, unexpected } from '../revision.ts';
import { WebhookEvent, type webhookMessages } from './messages.ts';

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

export function reduceWebhook(
  state: WebhookState,
  message: MessageOf<typeof webhookMessages>,
  context: Context,
): Effects<WebhookState> | Rejection {
  switch (message.type) {
    case 'create': {
      const { nameClaim, ...fields } = message.body;
      if (state.status !== 'absent') return createAgain(state, fields.accountId);
      const createdAt = new Date(context.nowMs).toISOString();
      const created: WebhookState = { ...noWebhook, ...fields, status: 'active', enrolled: true, createdAt };
      const creation = changeUnderName(created, nameClaim.nameId, nameClaim, context);
      if (creation instanceof Rejection) return creation;
      return { ...creation, sends: [...(creation.sends ?? []), enrolment(created, context)] };
    }
    case 'answer-for-claim':
      return { sends: answerForClaim(state.borneName, message.body, context) };
    case 'disable': {
      if (state.status !== 'active') return {};
      const disabledAt = new Date(context.nowMs).toISOString();
      const disabled = { ...state, status: 'disabled' as const, disabledAt, disabledReason: message.body.reason };
      return { state: revised(disabled, context), sends: [enrolment(disabled, context)] };
    }
    case 'enrol':
      if (state.status === 'absent') return {};
      return { state: { ...state, enrolled: true }, sends: [enrolment(state, context)] };
    case 'reseal': {
      const { secrets } = message.body;
      const anew = (kept: string) => secrets.find(({ from }) => from === kept)?.sealed ?? kept;
      const { sealedSecret, formerSecret } = state;
      const former = formerSecret && { ...formerSecret, sealedSecret: anew(formerSecret.sealedSecret) };
      return { state: { ...state, sealedSecret: anew(sealedSecret), formerSecret: former } };
    }
    default:
      return change(state, message, context);
  }
}

type Change = Extract<MessageOf<typeof webhookMessages>, { readonly type: 'update' | 'rotate' | 'remove' }>;

/** What an account asks for. */
function change(state: WebhookState, message: Change, context: Context): Effects<WebhookState> | Rejection {
  const { scope, expecting } = message.body;
  if (!sees(scope, state)) return absent('The webhook');
  const refusal = unexpected(state, expecting);
  if (refusal !== null) return refusal;
  switch (message.type) {
    case 'update': {
      const { events = state.events, activate } = message.body;
      const active = { status: 'active' as const, disabledAt: null, disabledReason: null };
      const updated = revised({ ...state, events, ...(activate ? active : {}) }, context);
      return { state: updated, reply: updated, sends: [enrolment(updated, context)] };
    }
    case 'rotate': {
      const { sealedSecret, keepFormerMs } = message.body;
      const formerSecret = { sealedSecret: state.sealedSecret, untilMs: context.nowMs + keepFormerMs };
      const rotated = revised({ ...state, sealedSecret, formerSecret }, context);
      return { state: rotated, reply: rotated };
    }
    case 'remove': {
      const abandon: Send = {
        to: `webhook-lane/${context.id}`,
        type: 'abandon',
        body: { reason: 'the webhook was deleted' },
      };
      const sends = [...shed(state.borneName, context), strike(state, context), abandon];
      return { state: null, reply: state, sends };
    }
  }
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
