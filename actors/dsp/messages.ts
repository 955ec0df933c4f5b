import Type, { type TSchema } from 'typebox';
import { Scope } from '../account/scope.ts';
import { bearerMessages, Claim } from '../name/bearing.ts';
import { Expecting } from '../revision.ts';
import { sandboxGenerationMessages } from '../sandbox-generation.ts';
import { sourceKeyMessages } from '../source-key.ts';

const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const DspMode = Type.Enum(['rtb', 'delegate']);
export const OpenrtbVersion = Type.Enum(['2.5', '2.6']);
/** How a browser calls a sync URL: as an image that may redirect, or in a frame. */
export const UserSyncType = Type.Enum(['redirect', 'iframe']);
/** How a loss notice (`lurl`) is called (specification, Loss notification: POST). */
export const LossNoticeMethod = Type.Enum(['POST', 'GET']);
/** Ids of the IAB's Global Vendor List have 16 bits. */
export const maxTcfVendorId = 65_535;
/** A bidder has 150 ms at most (specification, "Limits"). */
export const maxTimeoutMs = 150;
/** Calls a second from the whole exchange, unless the demand source wants others. */
export const defaultQpsLimit = 10_000;
export const maxQpsLimit = 1_000_000;

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

/** What a DSP has its default for when it is not given at creation. */
const fieldsWithDefaults = {
  qpsLimit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxQpsLimit })),
  /** What cookie sync calls, with its macros; null: nothing. */
  userSyncUrl: Type.Optional(Nullable(Type.String())),
  userSyncType: Type.Optional(UserSyncType),
  /** In the IAB's Global Vendor List; null: not known. */
  tcfVendorId: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: maxTcfVendorId }))),
  /** Whether its wins and impressions are kept one by one, for its feed. */
  eventFeed: Type.Optional(Type.Boolean()),
  lossNoticeMethod: Type.Optional(LossNoticeMethod),
};

export const dspMessages = {
  ...bearerMessages,
  ...sourceKeyMessages,
  ...sandboxGenerationMessages,
  /** Answers the state. A DSP that exists under the same account stays as it is and answers its state. */
  create: Type.Object({ accountId: Type.String({ minLength: 1 }), ...fields, ...fieldsWithDefaults, nameClaim: Claim }),
  /**
   * Only the fields given change; becoming a delegate drops the endpoint. `nameClaim` is needed when the name, or the
   * environment it is unique in, becomes another (else NAME_NOT_CLAIMED). Archived: CONFLICT; not the expected revision:
   * PRECONDITION_FAILED. Answers the state.
   */
  update: Type.Object({
    scope: Scope,
    changes: Type.Partial(Type.Object({ ...fields, ...fieldsWithDefaults })),
    nameClaim: Type.Optional(Claim),
    expecting: Expecting,
  }),
  /** For good; frees the name. Answers the state, again when archived before. */
  archive: Type.Object({ scope: Scope, expecting: Expecting }),
  /**
   * The exchange's fee on top of spend, parts per million; archived DSPs have one too. Not the expected revision:
   * PRECONDITION_FAILED. Answers the state.
   */
  'set-fee': Type.Object({ feePpm: Type.Integer({ minimum: 0, maximum: 1_000_000 }), expecting: Expecting }),
  /** Closes its circuit breaker at every edge; archived: CONFLICT. Answers the state. */
  'reset-breaker': Type.Object({ scope: Scope }),
  /** To a pool's traffic. Answers `Subscription`; a second one changes nothing. Archived: CONFLICT. */
  subscribe: Type.Object({ scope: Scope, poolId: Type.String({ minLength: 1 }) }),
  /** Answers `Subscription`; without a subscription it changes nothing. Archived: CONFLICT. */
  unsubscribe: Type.Object({ scope: Scope, poolId: Type.String({ minLength: 1 }) }),
};
