import Type, { type Static } from 'typebox';
import type { Context, Send } from '../../runtime/actor/context.ts';
import { handlersOf } from '../../runtime/actor/define-actor.ts';
import { Rejection } from '../../runtime/actor/rejection.ts';
import { isInScope, notFound, type Scope } from '../account/scope.ts';
import { initialState, stateProperties } from '../field-table.ts';
import { answerRepeatedCreate, changeWithReservedName } from '../name/change.ts';
import { confirmOrRelease, nameId, release } from '../name/reservation.ts';
import { type ExpectedRevisions, revisionConflict, withNextRevision } from '../revision.ts';
import { webhookFields } from './fields.ts';
import { webhookMessages } from './messages.ts';

export const WebhookState = Type.Object(stateProperties(webhookFields));
export type WebhookState = Static<typeof WebhookState>;

export const noWebhook: WebhookState = initialState(webhookFields);

/**
 * The id of a webhook's URL as a name. `urlDigest`, in hex, stands for the URL, which would make too long an id, and in
 * which case matters.
 */
export function webhookNameId(of: Pick<WebhookState, 'accountId' | 'sandbox'>, urlDigest: string): string {
  return nameId(of.accountId, `webhook:${of.sandbox ? 'sandbox' : 'live'}`, urlDigest);
}

export const webhookHandlers = handlersOf(WebhookState, webhookMessages, {
  create(state, { nameClaim, ...fields }, context) {
    if (state.status !== 'absent') return answerRepeatedCreate(state, fields.accountId);
    const createdAt = new Date(context.nowMs).toISOString();
    const created: WebhookState = { ...noWebhook, ...fields, status: 'active', enrolled: true, createdAt };
    const creation = changeWithReservedName(created, nameClaim.nameId, nameClaim, context);
    if (creation instanceof Rejection) return creation;
    return { ...creation, sends: [...(creation.sends ?? []), subscriptionUpdate(created, context)] };
  },
  update(state, { scope, expecting, activate, ...changes }, context) {
    const refusal = refused(state, scope, expecting);
    if (refusal !== null) return refusal;
    const active = { status: 'active' as const, disabledAt: null, disabledReason: null };
    const updated = withNextRevision({ ...state, ...changes, ...(activate ? active : {}) }, context);
    return { state: updated, reply: updated, sends: [subscriptionUpdate(updated, context)] };
  },
  rotate(state, { scope, expecting, sealedSecret, keepFormerMs }, context) {
    const refusal = refused(state, scope, expecting);
    if (refusal !== null) return refusal;
    const formerSecret = { sealedSecret: state.sealedSecret, untilMs: context.nowMs + keepFormerMs };
    const rotated = withNextRevision({ ...state, sealedSecret, formerSecret }, context);
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
    const sends = [...release(state.borneName, context), unsubscribe(state, context), abandon];
    return { state: null, reply: state, sends };
  },
  disable(state, { reason }, context) {
    if (state.status !== 'active') return {};
    const disabledAt = new Date(context.nowMs).toISOString();
    const disabled = { ...state, status: 'disabled' as const, disabledAt, disabledReason: reason };
    return { state: withNextRevision(disabled, context), sends: [subscriptionUpdate(disabled, context)] };
  },
  enrol(state, _body, context) {
    if (state.status === 'absent') return {};
    return { state: { ...state, enrolled: true }, sends: [subscriptionUpdate(state, context)] };
  },
  reseal(state, { secrets }) {
    const anew = (kept: string) => secrets.find(({ from }) => from === kept)?.sealed ?? kept;
    const { sealedSecret, formerSecret } = state;
    const former = formerSecret && { ...formerSecret, sealedSecret: anew(formerSecret.sealedSecret) };
    return { state: { ...state, sealedSecret: anew(sealedSecret), formerSecret: former } };
  },
  'answer-for-claim': (state, body, context) => ({ sends: confirmOrRelease(state.borneName, body, context) }),
});

/** The reason why an account may not make its change; null when it may. */
function refused(state: WebhookState, scope: Scope, expecting: ExpectedRevisions): Rejection | null {
  return isInScope(scope, state) ? revisionConflict(state, expecting) : notFound('The webhook');
}

/** The message with the webhook's present subscription to the account's subscriptions. */
function subscriptionUpdate(state: WebhookState, context: Context): Send {
  if (state.status !== 'active') return unsubscribe(state, context);
  const { accountId, partnerId, sandbox, events } = state;
  return {
    to: `webhook-roll/${accountId}`,
    type: 'enrol',
    body: { webhookId: context.id, partnerId, sandbox, events },
  };
}

function unsubscribe({ accountId }: WebhookState, context: Context): Send {
  return { to: `webhook-roll/${accountId}`, type: 'strike', body: { webhookId: context.id } };
}
