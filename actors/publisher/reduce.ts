import Type, { type Static } from 'typebox';
import { handlersOf } from '../../runtime/actor/define-actor.ts';
import { reject } from '../../runtime/actor/rejection.ts';
import { isInScope, notFound } from '../account/scope.ts';
import { initialState, stateProperties } from '../field-table.ts';
import { answerRepeatedCreate, changeReleasingName, changeWithReservedName } from '../name/change.ts';
import { confirmOrRelease, nameId } from '../name/reservation.ts';
import { revisionConflict, withNextRevision } from '../revision.ts';
import { withSandboxFlushed } from '../sandbox-generation.ts';
import { withResealedSourceKey, withSourceKey } from '../source-key.ts';
import { publisherFields } from './fields.ts';
import { publisherMessages } from './messages.ts';

export const PublisherState = Type.Object(stateProperties(publisherFields));
export type PublisherState = Static<typeof PublisherState>;

export const noPublisher: PublisherState = initialState(publisherFields);

/**
 * The id of a publisher's name. Live and sandbox publishers do not share names, so that a publisher can be rehearsed
 * under its later name.
 */
export function publisherNameId(of: Pick<PublisherState, 'accountId' | 'sandbox' | 'name'>): string {
  return nameId(of.accountId, `publisher:${of.sandbox ? 'sandbox' : 'live'}`, of.name);
}

export const publisherHandlers = handlersOf(PublisherState, publisherMessages, {
  create(state, { nameClaim, ...fields }, context) {
    if (state.status !== 'absent') return answerRepeatedCreate(state, fields.accountId);
    const status = fields.sandbox ? 'sandbox' : 'active';
    const createdAt = new Date(context.nowMs).toISOString();
    const created: PublisherState = { ...noPublisher, ...fields, status, createdAt };
    return changeWithReservedName(created, publisherNameId(created), nameClaim, context);
  },
  update(state, { scope, changes, nameClaim, expecting }, context) {
    if (!isInScope(scope, state)) return notFound('The supply source');
    const refusal = revisionConflict(state, expecting);
    if (refusal !== null) return refusal;
    if (state.status === 'archived') return reject('CONFLICT', 'The supply source is archived.');
    const merged = { ...state, ...changes };
    const updated: PublisherState = { ...merged, status: merged.sandbox ? 'sandbox' : 'active' };
    return changeWithReservedName(updated, publisherNameId(updated), nameClaim, context);
  },
  archive(state, { scope, expecting }, context) {
    if (!isInScope(scope, state)) return notFound('The supply source');
    const refusal = revisionConflict(state, expecting);
    if (refusal !== null) return refusal;
    if (state.status === 'archived') return { reply: state };
    return changeReleasingName({ ...state, status: 'archived' as const }, context);
  },
  'set-fee'(state, { feePpm, expecting }, context) {
    if (state.status === 'absent') return notFound('The supply source');
    const refusal = revisionConflict(state, expecting);
    if (refusal !== null) return refusal;
    const charged = withNextRevision({ ...state, feePpm }, context);
    return { state: charged, reply: charged };
  },
  'set-source-key'(state, body, context) {
    if (!isInScope(body.scope, state)) return notFound('The supply source');
    const keyed = withSourceKey(state, body, context);
    return { state: keyed, reply: keyed };
  },
  'reseal-source-key': (state, body) => ({ state: withResealedSourceKey(state, body) }),
  'flush-sandbox'(state, { scope }) {
    if (!isInScope(scope, state)) return notFound('The supply source');
    const emptied = withSandboxFlushed(state);
    return { state: emptied, reply: emptied };
  },
  'answer-for-claim': (state, body, context) => ({ sends: confirmOrRelease(state.borneName, body, context) }),
});
