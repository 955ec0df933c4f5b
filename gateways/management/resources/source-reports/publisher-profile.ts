import Type from 'typebox';
import { Nullable, Status, Timestamp, Uuid } from '#actors/api-schemas';
import { pool } from '#actors/pool/pool';
import type { PoolState } from '#actors/pool/reduce';
import { BillingNotice, PublisherType, SellerType } from '#actors/publisher/fields';
import type { PublisherState } from '#actors/publisher/reduce';
import { cpmOf } from '#exchange/money/price';
import { defineRoute } from '../../routing/route.ts';
import { type SupplySource, showSupplySource } from '../supply-sources/supply-source.ts';
import { findVerification, showVerification, Verification } from '../supply-sources/verification.ts';
import { loadOwnSource } from './own-source.ts';

/** A supply source as its own people see it: of the account, only the name of the source's pool. */
const SourceProfile = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    domain: Type.String(),
    type: PublisherType,
    status: Status,
    sandbox: Type.Boolean(),
    edge_url: Type.String({ description: 'Where its ad requests and tags go: what snippets begin with.' }),
    pool_name: Nullable(Type.String({ description: 'Null while it is in none, and nothing is sold.' })),
    pool_floor_cpm: Type.Number({ description: 'USD CPM: the floor of the pool.' }),
    floor_price_cpm: Type.Number({ description: 'USD CPM: its own floor. The higher one holds.' }),
    content_genre: Nullable(Type.String()),
    blocked_categories: Type.Array(Type.String()),
    blocked_domains: Type.Array(Type.String()),
    seller_type: SellerType,
    billing_notice: BillingNotice,
    developer_domain: Nullable(Type.String()),
    identities: Type.Array(Type.String()),
    require_key: Type.Boolean(),
    key_created_at: Nullable(
      Type.String({ ...Timestamp, description: 'When its source key was made; null while it has none.' }),
    ),
    verification: Verification,
    created_at: Timestamp,
  },
  { title: 'SourceProfile' },
);

export const publisherProfile = defineRoute({
  method: 'GET',
  path: '/api/source/profile',
  tag: 'Source reports',
  operationId: 'getSourceProfile',
  summary: "Read what the key's publisher is: its status, floors, block lists and verification",
  description:
    'What its tags and its ads.txt need stands here: `edge_url`, and `expected_line` of the verification. Its account changes it.',
  access: 'publisher-key',
  answer: { status: 200, schema: SourceProfile },
  async handle({ source: { id }, source, parts }) {
    const own = (await loadOwnSource(parts, source)) as PublisherState;
    const [held] = own.poolId === null ? [] : await parts.store.load([{ kind: pool.kind, id: own.poolId }]);
    const itsPool = held && !held.deleted ? (held.state as PoolState) : null;
    return {
      ...profileForSourceUsers(showSupplySource(id, own)),
      edge_url: parts.settings.publicEdgeUrl,
      pool_name: itsPool?.name ?? null,
      pool_floor_cpm: cpmOf(itsPool?.floorCpmMicros ?? 0),
      key_created_at: own.sourceKey?.createdAt ?? null,
      verification: showVerification(parts, id, own, await findVerification(parts, id)),
    };
  },
});

/** Removes the fields of the account: partners, sellers.json, alerts and revisions. */
function profileForSourceUsers(shown: SupplySource) {
  const { partner_id: _, pool_id: __, is_confidential: ___, fill_rate_alert_threshold: ____, ...others } = shown;
  const { updated_at: _____, ...own } = others;
  return own;
}
