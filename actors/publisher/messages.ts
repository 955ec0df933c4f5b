import Type, { type TSchema } from 'typebox';
import { BILLING_NOTICES } from '../../exchange/invalid-traffic/billing-notice.ts';
import { Scope } from '../account/scope.ts';
import { bearerMessages, Claim } from '../name/bearing.ts';
import { Expecting } from '../revision.ts';
import { sandboxGenerationMessages } from '../sandbox-generation.ts';
import { sourceKeyMessages } from '../source-key.ts';

const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const PublisherType = Type.Enum(['ctv', 'mobile', 'web']);
/** IAB sellers.json: whether it sells its own inventory, others', or both. */
export const SellerType = Type.Enum(['PUBLISHER', 'INTERMEDIARY', 'BOTH']);

/** By which channel it tells of its impressions. */
export const BillingNotice = Type.Enum([...BILLING_NOTICES]);

/** What an account says of its publisher. Whoever asks has checked what a publisher cannot see, e.g. that the pool exists. */
const fields = {
  name: Type.String({ minLength: 1 }),
  domain: Type.String({ minLength: 1 }),
  type: PublisherType,
  sandbox: Type.Boolean(),
  partnerId: Nullable(Type.String()),
  poolId: Nullable(Type.String()),
  /** Whole micro-dollars CPM. */
  floorCpmMicros: Type.Integer({ minimum: 0 }),
  contentGenre: Nullable(Type.String()),
  blockedCategories: Type.Array(Type.String()),
  blockedDomains: Type.Array(Type.String()),
};

/** What a publisher has its default for when it is not given at creation. */
const fieldsWithDefaults = {
  sellerType: Type.Optional(SellerType),
  billingNotice: Type.Optional(BillingNotice),
  /** Its name and domain are kept out of sellers.json. */
  confidential: Type.Optional(Type.Boolean()),
  /** Of an app: the domain of its developer's site, as its store lists it, where app-ads.txt is. */
  developerDomain: Type.Optional(Nullable(Type.String())),
  /** Domains, bundles and numbers in app stores beside `domain` that its requests may name. */
  identities: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
  /** Whether its ad requests must show a key that reaches it. */
  requireKey: Type.Optional(Type.Boolean()),
  /** Its account is told when its fill rate falls below this; null: never. */
  fillRateAlertThreshold: Type.Optional(Nullable(Type.Number({ minimum: 0, maximum: 1 }))),
};

export const publisherMessages = {
  ...bearerMessages,
  ...sourceKeyMessages,
  ...sandboxGenerationMessages,
  /** Answers the state. A publisher that exists under the same account stays as it is and answers its state. */
  create: Type.Object({ accountId: Type.String({ minLength: 1 }), ...fields, ...fieldsWithDefaults, nameClaim: Claim }),
  /**
   * Only the fields given change. `nameClaim` is needed when the name, or the environment it is unique in, becomes
   * another (else NAME_NOT_CLAIMED). Archived: CONFLICT; not the expected revision: PRECONDITION_FAILED. Answers the state.
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
   * The exchange's margin, parts per million of gross; archived publishers have one too. Not the expected revision:
   * PRECONDITION_FAILED. Answers the state.
   */
  'set-fee': Type.Object({ feePpm: Type.Integer({ minimum: 0, maximum: 1_000_000 }), expecting: Expecting }),
};
