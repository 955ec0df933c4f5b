import Type, { type Static } from 'typebox';
import { type Effects, handlersOf } from '../../runtime/actor/define-actor.ts';
import { type Rejection, reject } from '../../runtime/actor/rejection.ts';
import { isInScope, notFound } from '../account/scope.ts';
import { limitedSince } from '../budget/limited-since.ts';
import { initialState, stateProperties } from '../field-table.ts';
import { answerRepeatedCreate, changeReleasingName, changeWithReservedName } from '../name/change.ts';
import { confirmOrRelease, nameId } from '../name/reservation.ts';
import { revisionConflict, withNextRevision } from '../revision.ts';
import { withSandboxFlushed } from '../sandbox-generation.ts';
import { withResealedSourceKey, withSourceKey } from '../source-key.ts';
import { publishWebhookEvent } from '../webhook-subscriptions/publish-event.ts';
import { dspFields } from './fields.ts';
import { dspMessages } from './messages.ts';

export const DspState = Type.Object(stateProperties(dspFields));
export type DspState = Static<typeof DspState>;

/** The answer to `subscribe` and `unsubscribe`. */
export interface Subscription {
  /** Whether this message changed anything. */
  readonly changed: boolean;
  readonly dsp: DspState;
}

export const noDsp: DspState = initialState(dspFields);

/**
 * The id of a DSP's name. Live and sandbox DSPs do not share names, so that a DSP can be rehearsed under its later
 * name.
 */
export function dspNameId(of: Pick<DspState, 'accountId' | 'sandbox' | 'name'>): string {
  return nameId(of.accountId, `dsp:${of.sandbox ? 'sandbox' : 'live'}`, of.name);
}

export const dspHandlers = handlersOf(DspState, dspMessages, {
  create(state, { nameClaim, ...fields }, context) {
    if (state.status !== 'absent') return answerRepeatedCreate(state, fields.accountId);
    const refusal = wrongEndpoint(fields);
    if (refusal !== null) return refusal;
    const created: DspState = {
      ...noDsp,
      ...fields,
      status: fields.sandbox ? 'sandbox' : 'active',
      limitedSinceMs: limitedSince(noDsp, fields.dailyBudgetCents > 0, context.nowMs),
      createdAt: new Date(context.nowMs).toISOString(),
    };
    return changeWithReservedName(created, dspNameId(created), nameClaim, context);
  },
  update(state, { scope, changes, nameClaim, expecting }, context) {
    if (!isInScope(scope, state)) return notFound('The demand source');
    const stale = revisionConflict(state, expecting);
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
    return changeWithReservedName(updated, dspNameId(updated), nameClaim, context);
  },
  archive(state, { scope, expecting }, context) {
    if (!isInScope(scope, state)) return notFound('The demand source');
    const refusal = revisionConflict(state, expecting);
    if (refusal !== null) return refusal;
    if (state.status === 'archived') return { reply: state };
    return changeReleasingName({ ...state, status: 'archived' as const }, context);
  },
  'set-fee'(state, { feePpm, expecting }, context) {
    if (state.status === 'absent') return notFound('The demand source');
    const refusal = revisionConflict(state, expecting);
    if (refusal !== null) return refusal;
    const charged = withNextRevision({ ...state, feePpm }, context);
    return { state: charged, reply: charged };
  },
  'set-source-key'(state, body, context) {
    if (!isInScope(body.scope, state)) return notFound('The demand source');
    const keyed = withSourceKey(state, body, context);
    return { state: keyed, reply: keyed };
  },
  'reseal-source-key': (state, body) => ({ state: withResealedSourceKey(state, body) }),
  'flush-sandbox'(state, { scope }) {
    if (!isInScope(scope, state)) return notFound('The demand source');
    // The counters of edges for a bidder belong to the sandbox only while the bidder does.
    const { status, breakerResets, healthResets } = state;
    const counters = status === 'sandbox' ? { breakerResets: breakerResets + 1, healthResets: healthResets + 1 } : {};
    const emptied = withSandboxFlushed({ ...state, ...counters });
    return { state: emptied, reply: emptied };
  },
  'reset-breaker'(state, { scope }) {
    if (!isInScope(scope, state)) return notFound('The demand source');
    if (state.status === 'archived') return isArchived();
    // The revision stays: nothing that the account has written changes.
    const reset = { ...state, breakerResets: state.breakerResets + 1 };
    return { state: reset, reply: reset };
  },
  subscribe(state, { scope, poolId }, context): Effects<DspState, Subscription> | Rejection {
    if (!isInScope(scope, state)) return notFound('The demand source');
    if (state.status === 'archived') return isArchived();
    if (state.poolIds.includes(poolId)) return { reply: { changed: false, dsp: state } };
    const dsp = withNextRevision({ ...state, poolIds: [...state.poolIds, poolId] }, context);
    const { accountId, partnerId, sandbox } = state;
    const joined = publishWebhookEvent(
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
    if (!isInScope(scope, state)) return notFound('The demand source');
    if (state.status === 'archived') return isArchived();
    if (!state.poolIds.includes(poolId)) return { reply: { changed: false, dsp: state } };
    const dsp = withNextRevision({ ...state, poolIds: state.poolIds.filter((id) => id !== poolId) }, context);
    return { state: dsp, reply: { changed: true, dsp } };
  },
  'answer-for-claim': (state, body, context) => ({ sends: confirmOrRelease(state.borneName, body, context) }),
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
