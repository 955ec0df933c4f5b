import Type, { type Static } from 'typebox';
import { type Effects, handlersOf } from '../../runtime/actor/define-actor.ts';
import { type Rejection, reject } from '../../runtime/actor/rejection.ts';
import { absent, sees } from '../account/scope.ts';
import { limitedSince } from '../budget/limited-since.ts';
import { answerForClaim, BorneName, nameId } from '../name/bearing.ts';
import { changeUnderName, changeWithoutName, createAgain } from '../name/change.ts';
import { revised, unexpected } from '../revision.ts';
import { flushed, SandboxGeneration } from '../sandbox-generation.ts';
import { SourceKey, withResealedSourceKey, withSourceKey } from '../source-key.ts';
import { tellWebhooks } from '../webhook-roll/tell.ts';
import {
  DspMode,
  defaultQpsLimit,
  dspMessages,
  LossNoticeMethod,
  maxQpsLimit,
  maxTcfVendorId,
  maxTimeoutMs,
  OpenrtbVersion,
  UserSyncType,
} from './messages.ts';

const NullableString = Type.Union([Type.String(), Type.Null()]);

export const DspState = Type.Object({
  /** '' while nothing was created. */
  accountId: Type.String(),
  partnerId: NullableString,
  name: Type.String(),
  borneName: BorneName,
  mode: DspMode,
  status: Type.Enum(['absent', 'active', 'sandbox', 'archived']),
  /** Which environment it is in, also once archived. */
  sandbox: Type.Boolean(),
  endpointUrl: NullableString,
  dailyBudgetCents: Type.Integer({ minimum: 0 }),
  /** Since when it has had a daily budget without a break, ms since the epoch; 0 without one. */
  limitedSinceMs: Type.Integer({ minimum: 0 }),
  timeoutMs: Type.Integer({ minimum: 1, maximum: maxTimeoutMs }),
  openrtbVersion: OpenrtbVersion,
  /** Calls a second from all edges together. */
  qpsLimit: Type.Integer({ minimum: 1, maximum: maxQpsLimit }),
  /** What cookie sync calls, with its macros. */
  userSyncUrl: NullableString,
  userSyncType: UserSyncType,
  /** In the IAB's Global Vendor List. */
  tcfVendorId: Type.Union([Type.Integer({ minimum: 1, maximum: maxTcfVendorId }), Type.Null()]),
  /** Whether its wins and impressions are kept one by one, for its feed. */
  eventFeed: Type.Boolean(),
  /** How its loss notices are called; absent, as in documents before 0.5.0: by POST. */
  lossNoticeMethod: Type.Optional(LossNoticeMethod),
  /** How often its circuit breakers were reset. */
  breakerResets: Type.Integer({ minimum: 0 }),
  /** How often its health figures began anew. */
  healthResets: Type.Integer({ minimum: 0 }),
  /** The exchange's fee on top of spend, parts per million. */
  feePpm: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  /** In the order of subscription. */
  poolIds: Type.Array(Type.String()),
  sourceKey: SourceKey,
  sandboxGeneration: SandboxGeneration,
  /** Of the resource: 1 when created, one more with each change. */
  revision: Type.Integer({ minimum: 0 }),
  /** ISO 8601, UTC. */
  createdAt: Type.String(),
  updatedAt: Type.String(),
});
export type DspState = Static<typeof DspState>;

/** The answer to `subscribe` and `unsubscribe`. */
export interface Subscription {
  /** Whether this very message changed anything. */
  readonly changed: boolean;
  readonly dsp: DspState;
}

export const noDsp: DspState = {
  accountId: '',
  partnerId: null,
  name: '',
  borneName: null,
  mode: 'rtb',
  status: 'absent',
  sandbox: false,
  endpointUrl: null,
  dailyBudgetCents: 0,
  limitedSinceMs: 0,
  timeoutMs: maxTimeoutMs,
  openrtbVersion: '2.6',
  qpsLimit: defaultQpsLimit,
  userSyncUrl: null,
  userSyncType: 'redirect',
  tcfVendorId: null,
  eventFeed: true,
  breakerResets: 0,
  healthResets: 0,
  feePpm: 0,
  poolIds: [],
  sourceKey: null,
  sandboxGeneration: 0,
  revision: 0,
  createdAt: '',
  updatedAt: '',
};

/** Live and sandbox DSPs do not share names, so that one can be rehearsed under the name it will have. */
export function dspNameId(of: Pick<DspState, 'accountId' | 'sandbox' | 'name'>): string {
  return nameId(of.accountId, `dsp:${of.sandbox ? 'sandbox' : 'live'}`, of.name);
}

export const dspHandlers = handlersOf(DspState, dspMessages, {
  create(state, { nameClaim, ...fields }, context) {
    if (state.status !== 'absent') return createAgain(state, fields.accountId);
    const refusal = wrongEndpoint(fields);
    if (refusal !== null) return refusal;
    const created: DspState = {
      ...noDsp,
      ...fields,
      status: fields.sandbox ? 'sandbox' : 'active',
      limitedSinceMs: limitedSince(noDsp, fields.dailyBudgetCents > 0, context.nowMs),
      createdAt: new Date(context.nowMs).toISOString(),
    };
    return changeUnderName(created, dspNameId(created), nameClaim, context);
  },
  update(state, { scope, changes, nameClaim, expecting }, context) {
    if (!sees(scope, state)) return absent('The demand source');
    const stale = unexpected(state, expecting);
    if (stale !== null) return stale;
    if (state.status === 'archived') return isArchived();
    const leavesEndpoint = changes.mode === 'delegate' && changes.endpointUrl === undefined;
    const merged = { ...state, ...changes, ...(leavesEndpoint ? { endpointUrl: null } : {}) };
    const refusal = wrongEndpoint(merged);
    if (refusal !== null) return refusal;
    const updated: DspState = {
      ...merged,
      status: merged.sandbox ? 'sandbox' : 'active',
      limitedSinceMs: limitedSince(state, merged.dailyBudgetCents > 0, context.nowMs),
    };
    return changeUnderName(updated, dspNameId(updated), nameClaim, context);
  },
  archive(state, { scope, expecting }, context) {
    if (!sees(scope, state)) return absent('The demand source');
    const refusal = unexpected(state, expecting);
    if (refusal !== null) return refusal;
    if (state.status === 'archived') return { reply: state };
    return changeWithoutName({ ...state, status: 'archived' as const }, context);
  },
  'set-fee'(state, { feePpm, expecting }, context) {
    if (state.status === 'absent') return absent('The demand source');
    const refusal = unexpected(state, expecting);
    if (refusal !== null) return refusal;
    const charged = revised({ ...state, feePpm }, context);
    return { state: charged, reply: charged };
  },
  'set-source-key'(state, body, context) {
    if (!sees(body.scope, state)) return absent('The demand source');
    const keyed = withSourceKey(state, body, context);
    return { state: keyed, reply: keyed };
  },
  'reseal-source-key': (state, body) => ({ state: withResealedSourceKey(state, body) }),
  'flush-sandbox'(state, { scope }) {
    if (!sees(scope, state)) return absent('The demand source');
    // What edges count of a bidder is of the sandbox only while the bidder is.
    const { status, breakerResets, healthResets } = state;
    const counters = status === 'sandbox' ? { breakerResets: breakerResets + 1, healthResets: healthResets + 1 } : {};
    const emptied = flushed({ ...state, ...counters });
    return { state: emptied, reply: emptied };
  },
  'reset-breaker'(state, { scope }) {
    if (!sees(scope, state)) return absent('The demand source');
    if (state.status === 'archived') return isArchived();
    // No revision: nothing that the account has written changes.
    const reset = { ...state, breakerResets: state.breakerResets + 1 };
    return { state: reset, reply: reset };
  },
  subscribe(state, { scope, poolId }, context): Effects<DspState, Subscription> | Rejection {
    if (!sees(scope, state)) return absent('The demand source');
    if (state.status === 'archived') return isArchived();
    if (state.poolIds.includes(poolId)) return { reply: { changed: false, dsp: state } };
    const dsp = revised({ ...state, poolIds: [...state.poolIds, poolId] }, context);
    const { accountId, partnerId, sandbox } = state;
    const joined = tellWebhooks(
      {
        accountId,
        partnerId,
        sandbox,
        type: 'pool.dsp_joined',
        resource: `pool/${poolId}`,
        data: { pool_id: poolId, dsp_id: context.id, dsp_name: state.name, dsp_mode: state.mode },
      },
      context,
    );
    return { state: dsp, reply: { changed: true, dsp }, sends: [joined] };
  },
  unsubscribe(state, { scope, poolId }, context): Effects<DspState, Subscription> | Rejection {
    if (!sees(scope, state)) return absent('The demand source');
    if (state.status === 'archived') return isArchived();
    if (!state.poolIds.includes(poolId)) return { reply: { changed: false, dsp: state } };
    const dsp = revised({ ...state, poolIds: state.poolIds.filter((id) => id !== poolId) }, context);
    return { state: dsp, reply: { changed: true, dsp } };
  },
  'answer-for-claim': (state, body, context) => ({ sends: answerForClaim(state.borneName, body, context) }),
});

function isArchived(): Rejection {
  return reject('CONFLICT', 'The demand source is archived.');
}

function wrongEndpoint({ mode, endpointUrl }: Pick<DspState, 'mode' | 'endpointUrl'>): Rejection | null {
  if (mode === 'rtb' && endpointUrl === null) {
    return reject('INVALID_PARAMS', 'endpoint_url is required in mode rtb.', { field: 'endpoint_url' });
  }
  if (mode === 'delegate' && endpointUrl !== null) {
    return reject('VALIDATION_ERROR', 'A delegate has no endpoint_url.', { field: 'endpoint_url' });
  }
  return null;
}
