import Type, { type Static } from 'typebox';
import { handlersOf } from '../../runtime/actor/define-actor.ts';
import { reject } from '../../runtime/actor/rejection.ts';
import { absent, sees } from '../account/scope.ts';
import { answerForClaim, BorneName, nameId } from '../name/bearing.ts';
import { changeUnderName, changeWithoutName, createAgain } from '../name/change.ts';
import { revised, unexpected } from '../revision.ts';
import { flushed, SandboxGeneration } from '../sandbox-generation.ts';
import { SourceKey, withResealedSourceKey, withSourceKey } from '../source-key.ts';
import { BillingNotice, PublisherType, publisherMessages, SellerType } from './messages.ts';

const NullableString = Type.Union([Type.String(), Type.Null()]);

export const PublisherState = Type.Object({
  /** '' while nothing was created. */
  accountId: Type.String(),
  partnerId: NullableString,
  name: Type.String(),
  borneName: BorneName,
  domain: Type.String(),
  type: PublisherType,
  status: Type.Enum(['absent', 'active', 'sandbox', 'archived']),
  /** Which environment it is in, also once archived. */
  sandbox: Type.Boolean(),
  poolId: NullableString,
  floorCpmMicros: Type.Integer({ minimum: 0 }),
  contentGenre: NullableString,
  feePpm: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  blockedCategories: Type.Array(Type.String()),
  blockedDomains: Type.Array(Type.String()),
  sellerType: SellerType,
  /** Absent in what 0.4 saved: both. */
  billingNotice: Type.Optional(BillingNotice),
  /** Its name and domain are kept out of sellers.json. */
  confidential: Type.Boolean(),
  /** Of an app: where its app-ads.txt is. */
  developerDomain: NullableString,
  /** Below which its account is told of its fill rate, 0..1; null: never. */
  fillRateAlertThreshold: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()]),
  /** What its requests may name beside `domain`. */
  identities: Type.Array(Type.String()),
  requireKey: Type.Boolean(),
  sourceKey: SourceKey,
  sandboxGeneration: SandboxGeneration,
  /** Of the resource: 1 when created, one more with each change. */
  revision: Type.Integer({ minimum: 0 }),
  /** ISO 8601, UTC. */
  createdAt: Type.String(),
  updatedAt: Type.String(),
});
export type PublisherState = Static<typeof PublisherState>;

export const noPublisher: PublisherState = {
  accountId: '',
  partnerId: null,
  name: '',
  borneName: null,
  domain: '',
  type: 'web',
  status: 'absent',
  sandbox: false,
  poolId: null,
  floorCpmMicros: 0,
  contentGenre: null,
  feePpm: 0,
  blockedCategories: [],
  blockedDomains: [],
  sellerType: 'PUBLISHER',
  confidential: false,
  developerDomain: null,
  identities: [],
  requireKey: false,
  fillRateAlertThreshold: null,
  sourceKey: null,
  sandboxGeneration: 0,
  revision: 0,
  createdAt: '',
  updatedAt: '',
};

/** Live and sandbox publishers do not share names, so that one can be rehearsed under the name it will have. */
export function publisherNameId(of: Pick<PublisherState, 'accountId' | 'sandbox' | 'name'>): string {
  return nameId(of.accountId, `publisher:${of.sandbox ? 'sandbox' : 'live'}`, of.name);
}

export const publisherHandlers = handlersOf(PublisherState, publisherMessages, {
  create(state, { nameClaim, ...fields }, context) {
    if (state.status !== 'absent') return createAgain(state, fields.accountId);
    const status = fields.sandbox ? 'sandbox' : 'active';
    const createdAt = new Date(context.nowMs).toISOString();
    const created: PublisherState = { ...noPublisher, ...fields, status, createdAt };
    return changeUnderName(created, publisherNameId(created), nameClaim, context);
  },
  update(state, { scope, changes, nameClaim, expecting }, context) {
    if (!sees(scope, state)) return absent('The supply source');
    const refusal = unexpected(state, expecting);
    if (refusal !== null) return refusal;
    if (state.status === 'archived') return reject('CONFLICT', 'The supply source is archived.');
    const merged = { ...state, ...changes };
    const updated: PublisherState = { ...merged, status: merged.sandbox ? 'sandbox' : 'active' };
    return changeUnderName(updated, publisherNameId(updated), nameClaim, context);
  },
  archive(state, { scope, expecting }, context) {
    if (!sees(scope, state)) return absent('The supply source');
    const refusal = unexpected(state, expecting);
    if (refusal !== null) return refusal;
    if (state.status === 'archived') return { reply: state };
    return changeWithoutName({ ...state, status: 'archived' as const }, context);
  },
  'set-fee'(state, { feePpm, expecting }, context) {
    if (state.status === 'absent') return absent('The supply source');
    const refusal = unexpected(state, expecting);
    if (refusal !== null) return refusal;
    const charged = revised({ ...state, feePpm }, context);
    return { state: charged, reply: charged };
  },
  'set-source-key'(state, body, context) {
    if (!sees(body.scope, state)) return absent('The supply source');
    const keyed = withSourceKey(state, body, context);
    return { state: keyed, reply: keyed };
  },
  'reseal-source-key': (state, body) => ({ state: withResealedSourceKey(state, body) }),
  'flush-sandbox'(state, { scope }) {
    if (!sees(scope, state)) return absent('The supply source');
    const emptied = flushed(state);
    return { state: emptied, reply: emptied };
  },
  'answer-for-claim': (state, body, context) => ({ sends: answerForClaim(state.borneName, body, context) }),
});
