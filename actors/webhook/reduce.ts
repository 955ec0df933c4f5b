import Type, { type Static } from 'typebox';
import type { Context } from '../../runtime/actor/context.ts';
import type { Effects, MessageOf } from '../../runtime/actor/define-actor.ts';
import type { Rejection } from '../../runtime/actor/rejection.ts';
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
  status: Type.Enum(['absent', 'active']),
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
  status: 'absent',
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
  if (message.type === 'create') {
    const { nameClaim, ...fields } = message.body;
    if (state.status !== 'absent') return createAgain(state, fields.accountId);
    const createdAt = new Date(context.nowMs).toISOString();
    const created: WebhookState = { ...noWebhook, ...fields, status: 'active', createdAt };
    return changeUnderName(created, nameClaim.nameId, nameClaim, context);
  }
  if (message.type === 'answer-for-claim') return { sends: answerForClaim(state.borneName, message.body, context) };

  const { scope, expecting } = message.body;
  if (!sees(scope, state)) return absent('The webhook');
  const refusal = unexpected(state, expecting);
  if (refusal !== null) return refusal;
  switch (message.type) {
    case 'update': {
      const updated = revised({ ...state, events: message.body.events }, context);
      return { state: updated, reply: updated };
    }
    case 'remove':
      return { state: null, reply: state, sends: shed(state.borneName, context) };
  }
}
