import Type, { type Static } from 'typebox';
import { Scope } from '../account/scope.ts';
import { NameClaim, nameHolderMessages } from '../name/reservation.ts';
import { ExpectedRevisions } from '../revision.ts';

/** What may be told of (specification, "Supply webhooks"). */
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
   * `nameClaim` is a claim of the URL, which never changes. Answers the state; a webhook that exists under the same account
   * stays as it is and answers its state.
   */
  create: Type.Object({
    accountId: Type.String({ minLength: 1 }),
    partnerId: Type.Union([Type.String(), Type.Null()]),
    sandbox: Type.Boolean(),
    url: Type.String({ minLength: 1 }),
    events: Events,
    /** The signing secret as it is kept: whoever reads the store alone cannot read it. */
    sealedSecret: Type.String({ minLength: 1 }),
    nameClaim: NameClaim,
  }),
  /**
   * Other events, and with `activate` active again if it was disabled. Not the expected revision: PRECONDITION_FAILED. Answers
   * the state.
   */
  update: Type.Object({
    scope: Scope,
    events: Type.Optional(Events),
    activate: Type.Optional(Type.Boolean()),
    expecting: ExpectedRevisions,
  }),
  /**
   * Another secret; the one before signs too for so long. Not the expected revision: PRECONDITION_FAILED. Answers the state.
   */
  rotate: Type.Object({
    scope: Scope,
    sealedSecret: Type.String({ minLength: 1 }),
    keepFormerMs: Type.Integer({ minimum: 0 }),
    expecting: ExpectedRevisions,
  }),
  /** The same secrets, sealed under the present master secret: each `from` that is kept still is replaced by its `sealed`. */
  reseal: Type.Object({
    secrets: Type.Array(Type.Object({ from: Type.String({ minLength: 1 }), sealed: Type.String({ minLength: 1 }) })),
  }),
  /** From its lane: nothing was acknowledged for too long. */
  disable: Type.Object({ reason: Type.String() }),
  /** Tells the account's roll of it; webhooks of older releases have not. */
  enrol: Type.Object({}),
  /** For good; frees the URL. Answers what the webhook was. */
  remove: Type.Object({ scope: Scope, expecting: ExpectedRevisions }),
};
