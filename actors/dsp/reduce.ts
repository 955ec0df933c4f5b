import Type, { type Static } from 'typebox';
import { type Effects, handlersOf } from '../../runtime/actor/define-actor.ts';
import { type Rejection, reject } from '../../runtime/actor/rejection.ts';
import { absent, sees } from '../account/scope.ts';
import { limitedSince } from '../budget/limited-since.ts';
import { initialState, stateProperties } from '../field-table.ts';
import { answerForClaim, nameId } from '../name/bearing.ts';
import { changeUnderName, changeWithoutName, createAgain } from '../name/change.ts';
import { revised, unexpected } from '../revision.ts';
import { flushed } from '../sandbox-generation.ts';
import { withResealedSourceKey, withSourceKey } from '../source-key.ts';
import { tellWebhooks } from '../webhook-roll/tell.ts';
import { dspFields } from './fields.ts';
import { dspMessages } from './messages.ts';

export const DspState = Type.Object(stateProperties(dspFields));
export type DspState = Static<typeof DspState>;

/** The answer to `subscribe` and `unsubscribe`. */
export interface Subscription {
  /** Whether this very message changed anything. */
  readonly changed: boolean;
  readonly dsp: DspState;
}

export const noDsp: DspState = initialState(dspFields);

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
