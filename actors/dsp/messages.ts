import Type, { type TSchema } from 'typebox';
import { Scope } from '../account/scope.ts';
import { bearerMessages, Claim } from '../name/bearing.ts';
import { Expecting } from '../revision.ts';

const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const DspMode = Type.Enum(['rtb', 'delegate']);
export const OpenrtbVersion = Type.Enum(['2.5', '2.6']);
/** A bidder has 150 ms at most (specification, "Limits"). */
export const maxTimeoutMs = 150;

const fields = {
  name: Type.String({ minLength: 1 }),
  mode: DspMode,
  /** Where bid requests go: `rtb` must have one, `delegate` has none. */
  endpointUrl: Nullable(Type.String()),
  sandbox: Type.Boolean(),
  partnerId: Nullable(Type.String()),
  /** 0 = unlimited. */
  dailyBudgetCents: Type.Integer({ minimum: 0 }),
  timeoutMs: Type.Integer({ minimum: 1, maximum: maxTimeoutMs }),
  openrtbVersion: OpenrtbVersion,
};

export const dspMessages = {
  ...bearerMessages,
  /** Answers the state. A DSP that exists under the same account stays as it is and answers its state. */
  create: Type.Object({ accountId: Type.String({ minLength: 1 }), ...fields, nameClaim: Claim }),
  /**
   * Only the fields given change; becoming a delegate drops the endpoint. `nameClaim` is needed when the name, or the
   * environment it is unique in, becomes another (else NAME_NOT_CLAIMED). Archived: CONFLICT; not the expected revision:
   * PRECONDITION_FAILED. Answers the state.
   */
  update: Type.Object({
    scope: Scope,
    changes: Type.Partial(Type.Object(fields)),
    nameClaim: Type.Optional(Claim),
    expecting: Expecting,
  }),
  /** For good; frees the name. Answers the state, again when archived before. */
  archive: Type.Object({ scope: Scope, expecting: Expecting }),
  /** To a pool's traffic. Answers `Subscription`; a second one changes nothing. Archived: CONFLICT. */
  subscribe: Type.Object({ scope: Scope, poolId: Type.String({ minLength: 1 }) }),
  /** Answers `Subscription`; without a subscription it changes nothing. Archived: CONFLICT. */
  unsubscribe: Type.Object({ scope: Scope, poolId: Type.String({ minLength: 1 }) }),
};
