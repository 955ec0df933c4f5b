import Type from 'typebox';
import { Scope } from '../account/scope.ts';
import { messageProperties } from '../field-table.ts';
import { NameClaim, nameHolderMessages } from '../name/reservation.ts';
import { ExpectedRevisions } from '../revision.ts';
import { webhookFields } from './fields.ts';

const { url, ...changeable } = messageProperties(webhookFields);

export const webhookMessages = {
  ...nameHolderMessages,
  /**
   * `nameClaim` is a claim of the URL, which never changes. Answers the state; a webhook that exists under the same
   * account stays as it is and answers its state.
   */
  create: Type.Object({
    accountId: Type.String({ minLength: 1 }),
    partnerId: webhookFields.partnerId.state,
    sandbox: webhookFields.sandbox.state,
    url,
    ...changeable,
    /** The sealed signing secret: access to the store alone does not reveal it. */
    sealedSecret: Type.String({ minLength: 1 }),
    nameClaim: NameClaim,
  }),
  /**
   * Changes only the given fields; with `activate`, a disabled webhook is active again. PRECONDITION_FAILED for an
   * unexpected revision. Answers the state.
   */
  update: Type.Object({
    scope: Scope,
    ...Type.Partial(Type.Object(changeable)).properties,
    activate: Type.Optional(Type.Boolean()),
    expecting: ExpectedRevisions,
  }),
  /**
   * Replaces the secret; the former one signs too for the given time. PRECONDITION_FAILED for an unexpected revision.
   * Answers the state.
   */
  rotate: Type.Object({
    scope: Scope,
    sealedSecret: Type.String({ minLength: 1 }),
    keepFormerMs: Type.Integer({ minimum: 0 }),
    expecting: ExpectedRevisions,
  }),
  /**
   * The same secrets, sealed under the present master secret: each `from` that is still stored is replaced by its
   * `sealed`.
   */
  reseal: Type.Object({
    secrets: Type.Array(Type.Object({ from: Type.String({ minLength: 1 }), sealed: Type.String({ minLength: 1 }) })),
  }),
  /** From its queue: nothing was acknowledged for too long. */
  disable: Type.Object({ reason: Type.String() }),
  /** Sends the subscription to the account's subscriptions; webhooks of older releases have not done so. */
  enrol: Type.Object({}),
  /** Removes the webhook for good and frees the URL. Answers the former state of the webhook. */
  remove: Type.Object({ scope: Scope, expecting: ExpectedRevisions }),
};
