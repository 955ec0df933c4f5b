import type { LimitedResource, SizedResource } from '#actors/account/limits';
import { SIZED_RESOURCES } from '#actors/account/limits';
import { apiKey } from '#actors/api-key/api-key';
import { hasExpired } from '#actors/api-key/projection';
import type { ApiKeyState } from '#actors/api-key/reduce';
import { campaign } from '#actors/campaign/campaign';
import type { CampaignState } from '#actors/campaign/reduce';
import { dsp } from '#actors/dsp/dsp';
import { partner } from '#actors/partner/partner';
import { pool } from '#actors/pool/pool';
import { publisher } from '#actors/publisher/publisher';
import type { PublisherState } from '#actors/publisher/reduce';
import type { StrategyState } from '#actors/strategy/reduce';
import { strategy } from '#actors/strategy/strategy';
import type { UserState } from '#actors/user/reduce';
import { user } from '#actors/user/user';
import { webhook } from '#actors/webhook/webhook';

/** The rules by which one sort of resource is counted. */
export interface QuotaResource {
  /** The plural name, for people. */
  readonly name: string;
  readonly kind: string;
  /** Whether a resource takes a place. Archived resources are counted separately; `gone` ones are not counted. */
  quotaStatusOf(state: unknown, nowMs: number): 'counts' | 'archived' | 'gone';
  /** The bytes of the resource that edges and management hold in memory; 0 for small resources. */
  weigh(state: unknown): number;
}

const weightless = { weigh: () => 0 };
const sourceStatus = (state: unknown) => ((state as { status: string }).status === 'archived' ? 'archived' : 'counts');
const alwaysCounts = () => 'counts' as const;

/** The bytes of an object in memory in addition to its text. */
const ENTRY_BYTES = 48;
const SOURCE_BYTES = 1_024;

export function weighPublisher(
  publisher: Pick<PublisherState, 'blockedDomains' | 'blockedCategories' | 'identities'>,
): number {
  const { blockedDomains, blockedCategories, identities } = publisher;
  // The packed form holds, for each domain, its text, a separator and its offset.
  const domains = blockedDomains.reduce((sum, domain) => sum + Buffer.byteLength(domain) + 3, 0);
  const categories = blockedCategories.reduce((sum, category) => sum + category.length + ENTRY_BYTES, 0);
  const declared = identities.reduce((sum, identity) => sum + Buffer.byteLength(identity) + ENTRY_BYTES, 0);
  return SOURCE_BYTES + domains + categories + declared;
}

/** The revision with which a resource counts; 1 for those that have none. */
export function countedRevision(state: unknown): number {
  const { revision = 1 } = state as { readonly revision?: number };
  return Math.max(1, revision);
}

export function weighDocument(document: unknown): number {
  return Buffer.byteLength(JSON.stringify(document));
}

export const quotaResources: Readonly<Record<LimitedResource, QuotaResource>> = {
  supply_sources: {
    name: 'supply sources',
    kind: publisher.kind,
    quotaStatusOf: sourceStatus,
    weigh: (state) => weighPublisher(state as PublisherState),
  },
  demand_sources: { name: 'demand sources', kind: dsp.kind, quotaStatusOf: sourceStatus, ...weightless },
  pools: { name: 'pools', kind: pool.kind, quotaStatusOf: alwaysCounts, ...weightless },
  partners: { name: 'partners', kind: partner.kind, quotaStatusOf: alwaysCounts, ...weightless },
  campaigns: {
    name: 'campaigns',
    kind: campaign.kind,
    quotaStatusOf: (state) => {
      const { origin, retired, campaign: document } = state as CampaignState;
      return origin === 'api' && !retired && document !== null ? 'counts' : 'gone';
    },
    weigh: (state) => weighDocument((state as CampaignState).campaign),
  },
  strategies: {
    name: 'strategies',
    kind: strategy.kind,
    quotaStatusOf: (state) => {
      const { json, closed } = state as StrategyState;
      return json === '' || closed ? 'gone' : 'counts';
    },
    weigh: (state) => Buffer.byteLength((state as StrategyState).json),
  },
  webhooks: { name: 'webhooks', kind: webhook.kind, quotaStatusOf: alwaysCounts, ...weightless },
  users: {
    name: 'users',
    kind: user.kind,
    quotaStatusOf: (state) => ((state as UserState).status === 'removed' ? 'gone' : 'counts'),
    ...weightless,
  },
  api_keys: {
    name: 'API keys that have not ended',
    kind: apiKey.kind,
    quotaStatusOf: (state, nowMs) => {
      const key = state as ApiKeyState;
      return key.revokedAt === null && !hasExpired(key, nowMs) ? 'counts' : 'gone';
    },
    ...weightless,
  },
};

export function isWeighed(resource: LimitedResource): resource is SizedResource {
  return (SIZED_RESOURCES as readonly string[]).includes(resource);
}
