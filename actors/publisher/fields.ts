import Type from 'typebox';
import { BILLING_NOTICES, DEFAULT_BILLING_NOTICE } from '../../exchange/invalid-traffic/billing-notice.ts';
import { cpmMicros, cpmOf } from '../../exchange/money/price.ts';
import type { DomainList } from '../../exchange/packed-domains.ts';
import { Category, Domain, FloorCpm, Genre, Nullable, Status, Uuid } from '../api-schemas.ts';
import { defineFields, type Projection } from '../field-table.ts';
import { namedResource, resourceTimes, revision } from '../resource-fields.ts';
import { SandboxGeneration } from '../sandbox-generation.ts';
import { SourceKey } from '../source-key.ts';

const NullableString = Nullable(Type.String());

export const PublisherType = Type.Enum(['ctv', 'mobile', 'web']);
/** IAB sellers.json: whether the seller sells its own inventory, that of others, or both. */
export const SellerType = Type.Enum(['PUBLISHER', 'INTERMEDIARY', 'BOTH']);

/** The channel by which a source reports its impressions. */
export const BillingNotice = Type.Enum([...BILLING_NOTICES]);

const DeveloperDomain = Type.String({
  minLength: 1,
  maxLength: 253,
  pattern: '^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$',
  description:
    "The domain of an app's developer, as the app's store lists it: where its app-ads.txt is looked for. Web sources need none.",
});

/** A supply source, field by field (specification, "Supply source"). */
export const publisherFields = defineFields({
  ...namedResource({ id: '5d0f2a9c-1b7e-4e0a-9a52-7c1f3e8b6d04', name: 'Evening News' }),
  /** App bundle or web domain. */
  domain: {
    state: Type.String(),
    message: Type.String({ minLength: 1 }),
    initial: '',
    projected: true,
    api: { name: 'domain', shown: Type.String(), written: Domain, required: true, example: 'com.example.news' },
  },
  type: {
    state: PublisherType,
    initial: 'web',
    projected: true,
    api: { name: 'type', shown: PublisherType, written: PublisherType, required: true, example: 'ctv' },
  },
  /** The status follows from `sandbox` until the source is archived. */
  status: {
    state: Type.Enum(['absent', 'active', 'sandbox', 'archived']),
    initial: 'absent',
    projected: true,
    api: { name: 'status', shown: Status, example: 'active' },
  },
  /** The environment of the source, also once it is archived. */
  sandbox: {
    state: Type.Boolean(),
    initial: false,
    api: { name: 'sandbox', shown: Type.Boolean(), written: Type.Boolean(), example: false },
  },
  poolId: {
    state: NullableString,
    initial: null,
    projected: true,
    api: {
      name: 'pool_id',
      shown: Nullable(Uuid),
      written: Nullable(Uuid),
      example: 'c2a1f0de-6b3c-4f7d-8e21-0a9b8c7d6e5f',
    },
  },
  partnerId: {
    state: NullableString,
    initial: null,
    projected: true,
    api: { name: 'partner_id', shown: Nullable(Uuid), written: Nullable(Uuid), example: null },
  },
  /** Whole micro-dollars CPM. */
  floorCpmMicros: {
    state: Type.Integer({ minimum: 0 }),
    initial: 0,
    projected: true,
    api: {
      name: 'floor_price_cpm',
      shown: Type.Number({ description: 'USD CPM.' }),
      written: FloorCpm,
      example: 2.5,
      fromApi: cpmMicros,
      toApi: cpmOf,
    },
  },
  contentGenre: {
    state: NullableString,
    initial: null,
    projected: true,
    api: { name: 'content_genre', shown: NullableString, written: Nullable(Genre), example: 'news' },
  },
  /** The exchange's margin in parts per million of gross. */
  feePpm: { state: Type.Integer({ minimum: 0, maximum: 1_000_000 }), initial: 0, projected: true },
  /** The IAB categories that are added to `bcat`. */
  blockedCategories: {
    state: Type.Array(Type.String()),
    initial: [],
    projected: true,
    api: {
      name: 'blocked_categories',
      shown: Type.Array(Type.String()),
      written: Type.Array(Category, { maxItems: 1000 }),
      example: ['IAB25-3'],
    },
  },
  /**
   * The advertiser domains that are added to `badv`. `PublisherProjection` declares them by hand, because replicas pack
   * them.
   */
  blockedDomains: {
    state: Type.Array(Type.String()),
    initial: [],
    api: {
      name: 'blocked_domains',
      shown: Type.Array(Type.String()),
      written: Type.Array(Domain, { maxItems: 1000, description: 'At most 1,000, of 65,536 characters in all.' }),
      example: ['rival.example'],
    },
  },
  sellerType: {
    state: SellerType,
    newInMessages: true,
    initial: 'PUBLISHER',
    projected: true,
    api: {
      name: 'seller_type',
      shown: SellerType,
      written: Type.Enum([...SellerType.enum], { description: 'As sellers.json says it; by default PUBLISHER.' }),
      example: 'PUBLISHER',
    },
  },
  billingNotice: {
    state: Type.Optional(BillingNotice),
    absent: DEFAULT_BILLING_NOTICE,
    projected: 'newer',
    api: {
      name: 'billing_notice',
      shown: BillingNotice,
      written: Type.Enum([...BillingNotice.enum], {
        description:
          "How its impressions are told: `client`, by the pixel in the markup, which the viewer's device calls; `server`, by `burl`; by default `both`. A call by another channel is invalid and not billed.",
      }),
      example: 'both',
    },
  },
  /** True when its name and domain are kept out of sellers.json. */
  confidential: {
    state: Type.Boolean(),
    newInMessages: true,
    initial: false,
    projected: true,
    api: {
      name: 'is_confidential',
      shown: Type.Boolean({ description: 'Name and domain are kept out of sellers.json.' }),
      written: Type.Boolean({ description: 'Keeps name and domain out of sellers.json; by default false.' }),
      example: false,
    },
  },
  /** For an app: the domain of its developer's site, as its store lists it, which has the app-ads.txt. */
  developerDomain: {
    state: NullableString,
    newInMessages: true,
    initial: null,
    api: {
      name: 'developer_domain',
      shown: NullableString,
      written: Nullable(DeveloperDomain),
      example: 'example.com',
    },
  },
  /**
   * The names that its requests may use beside `domain`. `PublisherProjection` declares them by hand, with the
   * developer's domain.
   */
  identities: {
    state: Type.Array(Type.String()),
    message: Type.Array(Type.String({ minLength: 1 })),
    newInMessages: true,
    initial: [],
    api: {
      name: 'identities',
      shown: Type.Array(Type.String()),
      written: Type.Array(Domain, {
        maxItems: 100,
        uniqueItems: true,
        description:
          'Web domains, app bundles and numbers in app stores beside `domain` and `developer_domain` that ad requests of this source may name: a request that names any other is answered 403. A domain stands for those below it.',
      }),
      example: ['news.example', '1234567890'],
    },
  },
  /** Whether its ad requests must show a key that has access to it. */
  requireKey: {
    state: Type.Boolean(),
    newInMessages: true,
    initial: false,
    projected: 'newer',
    api: {
      name: 'require_key',
      shown: Type.Boolean(),
      written: Type.Boolean({
        description:
          'Whether ad requests must show a key of the account or of this source; without one they are answered 401, tags too. By default false.',
      }),
      example: false,
    },
  },
  /** The fill rate, 0..1, below which its account gets an alert; null: never. */
  fillRateAlertThreshold: {
    state: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
    newInMessages: true,
    initial: null,
    api: {
      name: 'fill_rate_alert_threshold',
      shown: Nullable(Type.Number()),
      written: Nullable(
        Type.Number({
          minimum: 0,
          maximum: 1,
          description:
            'Webhooks are told by `publisher.fill_rate_alert` when the fill rate of the last hour falls below this, and again only after it has been a tenth above; looked at every five minutes, in hours of 1,000 imps or more. null, the default: never.',
        }),
      ),
      example: 0.2,
    },
  },
  sourceKey: { state: SourceKey, initial: null },
  /** The generation of its sandbox ledgers (see sandbox-generation.ts). */
  sandboxGeneration: { state: SandboxGeneration, initial: 0, projected: true },
  revision,
  ...resourceTimes,
});

/** The projection of a supply source, which edges hold. */
export interface PublisherProjection extends Projection<typeof publisherFields> {
  readonly id: string;
  readonly status: 'active' | 'sandbox' | 'archived';
  /** The blocked domains, packed in memory. */
  readonly blockedDomains: DomainList;
  /**
   * The domains, bundles and store numbers beside `domain` that its requests may name; absent in projections of older
   * releases.
   */
  readonly identities?: readonly string[];
  /** The SHA-256 (hex) of its source key; null while none was made. */
  readonly sourceKeyId: string | null;
}
