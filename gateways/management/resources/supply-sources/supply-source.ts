import Type, { type Static } from 'typebox';
import {
  Category,
  Domain,
  FloorCpm,
  Genre,
  Name,
  Nullable,
  Status,
  Timestamp,
  Uuid,
} from '../../../../actors/api-schemas.ts';
import { BillingNotice, PublisherType, SellerType } from '../../../../actors/publisher/messages.ts';
import { publisher } from '../../../../actors/publisher/publisher.ts';
import type { PublisherState } from '../../../../actors/publisher/reduce.ts';
import { DEFAULT_BILLING_NOTICE } from '../../../../exchange/invalid-traffic/billing-notice.ts';
import { cpmOf } from '../../../../exchange/money/price.ts';
import { ApiError } from '../../../errors.ts';
import { loadVisible } from '../../changes/load-visible.ts';
import type { Caller } from '../../identity/caller.ts';
import type { ManagementParts } from '../../parts.ts';

/** A supply source as the API shows it (specification, "Supply source"). */
export const SupplySource = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    domain: Type.String(),
    type: PublisherType,
    status: Status,
    sandbox: Type.Boolean(),
    pool_id: Nullable(Uuid),
    partner_id: Nullable(Uuid),
    floor_price_cpm: Type.Number({ description: 'USD CPM.' }),
    content_genre: Nullable(Type.String()),
    blocked_categories: Type.Array(Type.String()),
    blocked_domains: Type.Array(Type.String()),
    seller_type: SellerType,
    billing_notice: BillingNotice,
    is_confidential: Type.Boolean({ description: 'Name and domain are kept out of sellers.json.' }),
    developer_domain: Nullable(Type.String()),
    identities: Type.Array(Type.String()),
    require_key: Type.Boolean(),
    fill_rate_alert_threshold: Nullable(Type.Number()),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  {
    title: 'SupplySource',
    examples: [
      {
        id: '5d0f2a9c-1b7e-4e0a-9a52-7c1f3e8b6d04',
        name: 'Evening News',
        domain: 'com.example.news',
        type: 'ctv',
        status: 'active',
        sandbox: false,
        pool_id: 'c2a1f0de-6b3c-4f7d-8e21-0a9b8c7d6e5f',
        partner_id: null,
        floor_price_cpm: 2.5,
        content_genre: 'news',
        blocked_categories: ['IAB25-3'],
        blocked_domains: ['rival.example'],
        seller_type: 'PUBLISHER',
        billing_notice: 'both',
        is_confidential: false,
        developer_domain: 'example.com',
        identities: ['news.example', '1234567890'],
        require_key: false,
        fill_rate_alert_threshold: 0.2,
        created_at: '2026-03-14T09:26:53.589Z',
        updated_at: '2026-03-15T08:00:00.000Z',
      },
    ],
  },
);
export type SupplySource = Static<typeof SupplySource>;

const DeveloperDomain = Type.String({
  minLength: 1,
  maxLength: 253,
  pattern: '^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$',
  description:
    "The domain of an app's developer, as the app's store lists it: where its app-ads.txt is looked for. Web sources need none.",
});

const Identities = Type.Array(Domain, {
  maxItems: 100,
  uniqueItems: true,
  description:
    'Web domains, app bundles and numbers in app stores beside `domain` and `developer_domain` that ad requests of this source may name: a request that names any other is answered 403. A domain stands for those below it.',
});

const FillRateThreshold = Type.Number({
  minimum: 0,
  maximum: 1,
  description:
    'Webhooks are told by `publisher.fill_rate_alert` when the fill rate of the last hour falls below this, and again only after it has been a tenth above; looked at every five minutes, in hours of 1,000 imps or more. null, the default: never.',
});

/** What a caller may write. */
export const supplySourceFields = {
  name: Name,
  domain: Domain,
  type: PublisherType,
  floor_price_cpm: Type.Optional(FloorCpm),
  sandbox: Type.Optional(Type.Boolean()),
  content_genre: Type.Optional(Nullable(Genre)),
  pool_id: Type.Optional(Nullable(Uuid)),
  partner_id: Type.Optional(Nullable(Uuid)),
  blocked_categories: Type.Optional(Type.Array(Category, { maxItems: 1000 })),
  blocked_domains: Type.Optional(
    Type.Array(Domain, { maxItems: 1000, description: 'At most 1,000, of 65,536 characters in all.' }),
  ),
  seller_type: Type.Optional(
    Type.Enum([...SellerType.enum], { description: 'As sellers.json says it; by default PUBLISHER.' }),
  ),
  billing_notice: Type.Optional(
    Type.Enum([...BillingNotice.enum], {
      description:
        "How its impressions are told: `client`, by the pixel in the markup, which the viewer's device calls; `server`, by `burl`; by default `both`. A call by another channel is invalid and not billed.",
    }),
  ),
  is_confidential: Type.Optional(
    Type.Boolean({ description: 'Keeps name and domain out of sellers.json; by default false.' }),
  ),
  developer_domain: Type.Optional(Nullable(DeveloperDomain)),
  identities: Type.Optional(Identities),
  require_key: Type.Optional(
    Type.Boolean({
      description:
        'Whether ad requests must show a key of the account or of this source; without one they are answered 401, tags too. By default false.',
    }),
  ),
  fill_rate_alert_threshold: Type.Optional(Nullable(FillRateThreshold)),
};

/** Of all blocked domains of a source together: every edge holds them in memory. */
const mostBlockedDomainCharacters = 65_536;

/** VALIDATION_ERROR for blocked domains that are too much text; how many there may be, the schema says. */
export function assertListsFit({ blocked_domains: domains = [] }: { readonly blocked_domains?: string[] }): void {
  const characters = domains.reduce((sum, domain) => sum + domain.length, 0);
  if (characters <= mostBlockedDomainCharacters) return;
  const message = `blocked_domains are at most ${mostBlockedDomainCharacters.toLocaleString('en-US')} characters in all.`;
  throw new ApiError('VALIDATION_ERROR', message, 'blocked_domains');
}

export const SupplySourceParams = Type.Object({ id: Uuid });

export function showSupplySource(id: string, state: PublisherState): SupplySource {
  return {
    id,
    name: state.name,
    domain: state.domain,
    type: state.type,
    status: state.status as SupplySource['status'],
    sandbox: state.sandbox,
    pool_id: state.poolId,
    partner_id: state.partnerId,
    floor_price_cpm: cpmOf(state.floorCpmMicros),
    content_genre: state.contentGenre,
    blocked_categories: state.blockedCategories,
    blocked_domains: state.blockedDomains,
    seller_type: state.sellerType,
    billing_notice: state.billingNotice ?? DEFAULT_BILLING_NOTICE,
    is_confidential: state.confidential,
    developer_domain: state.developerDomain,
    identities: state.identities,
    require_key: state.requireKey,
    fill_rate_alert_threshold: state.fillRateAlertThreshold,
    created_at: state.createdAt,
    updated_at: state.updatedAt,
  };
}

export function loadSupplySource(parts: ManagementParts, id: string, caller: Caller): Promise<PublisherState> {
  return loadVisible<PublisherState>(parts, publisher.kind, id, caller.scope, 'The supply source');
}
