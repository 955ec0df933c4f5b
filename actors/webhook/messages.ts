import Type, { type Static } from 'typebox';
import { Scope } from '../account/scope.ts';
import { NameClaim, nameHolderMessages } from '../name/reservation.ts';
import { ExpectedRevisions } from '../revision.ts';

/** The events that a webhook can subscribe to (specification, "Supply webhooks"). */
export const SubscribableEvent = Type.Enum([
  'publisher.verified',
  'publisher.verification_failed',
  'publisher.fill_rate_alert',
  'pool.dsp_joined',
]);
export type SubscribableEvent = Static<typeof SubscribableEvent>;

const Events = Type.Array(SubscribableEvent, { minItems: 1 });

export const webhookMessages = {
  ...nameHolderMessages,
  /**
   * `nameClaim` is a claim of the URL, which never changes. Answers the state; a webhook that exists under the same
   * account stays as it is and answers its state.
   */
  create: Type.Object({
    accountId: Type.String({ minLength: 1 }),
    partnerId: Type.Union([Type.String(), Type.Null()]),
    sandbox: Type.Boolean(),
    url: Type.String({ minLength: 1 }),
    events: Events,
    /** The sealed signing secret: access to the store alone does not reveal it. */
    sealedSecret: Type.String({ minLength: 1 }),
    nameClaim: NameClaim,
  }),
  /**
   * Changes the events; with `activate`, a disabled webhook is active again. PRECONDITION_FAILED for an unexpected
   * revision. Answers the state.
   */
  update: Type.Object({
    scope: Scope,
    events: Type.Optional(Events),
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
