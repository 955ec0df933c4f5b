import Type, { type Static } from 'typebox';
import type { Tier } from './tier.ts';

/** The resources with a limit per account, live and in the sandbox separately. */
export const LIMITED_RESOURCES = [
  'supply_sources',
  'demand_sources',
  'pools',
  'partners',
  'campaigns',
  'strategies',
  'webhooks',
  'users',
  'api_keys',
] as const;
export type LimitedResource = (typeof LIMITED_RESOURCES)[number];

/** The resources whose bytes are limited too: edges and management hold them in memory. */
export const SIZED_RESOURCES = ['supply_sources', 'campaigns', 'strategies'] as const;
export type SizedResource = (typeof SIZED_RESOURCES)[number];

export type LimitName = LimitedResource | `${SizedResource}_bytes` | 'creative_files_bytes';

const names: readonly LimitName[] = [
  ...LIMITED_RESOURCES,
  ...SIZED_RESOURCES.map((resource): LimitName => `${resource}_bytes`),
  'creative_files_bytes',
];

const Limit = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** The limits that operators have set for an account; the tier's limit applies to each absent one. */
export const LimitOverrides = Type.Partial(
  Type.Object(Object.fromEntries(names.map((name) => [name, Limit])) as Record<LimitName, typeof Limit>),
  { additionalProperties: false },
);
export type LimitOverrides = Static<typeof LimitOverrides>;

export type AccountLimits = Readonly<Record<LimitName, number>>;

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

const standard: AccountLimits = {
  supply_sources: 1_000,
  demand_sources: 500,
  pools: 500,
  partners: 500,
  campaigns: 10_000,
  strategies: 500,
  webhooks: 100,
  users: 500,
  api_keys: 1_000,
  supply_sources_bytes: 16 * MIB,
  campaigns_bytes: 64 * MIB,
  strategies_bytes: 64 * MIB,
  creative_files_bytes: 20 * GIB,
};

const partner: AccountLimits = {
  ...standard,
  supply_sources: 10_000,
  demand_sources: 1_000,
  pools: 1_000,
  partners: 1_000,
  campaigns: 20_000,
  strategies: 1_000,
  supply_sources_bytes: 64 * MIB,
  campaigns_bytes: 128 * MIB,
  strategies_bytes: 128 * MIB,
  creative_files_bytes: 100 * GIB,
};

const liveLimits: Readonly<Record<Tier, AccountLimits>> = {
  standard,
  partner,
  enterprise: { ...partner, campaigns_bytes: 256 * MIB, strategies_bytes: 256 * MIB, creative_files_bytes: 500 * GIB },
};

/** The sandbox limits of every account: a sandbox is for trials, and its keys are passed around. */
const sandboxLimits: AccountLimits = {
  supply_sources: 500,
  demand_sources: 500,
  pools: 100,
  partners: 100,
  campaigns: 1_000,
  strategies: 500,
  webhooks: 100,
  users: 0,
  api_keys: 0,
  supply_sources_bytes: 2 * MIB,
  campaigns_bytes: 8 * MIB,
  strategies_bytes: 8 * MIB,
  creative_files_bytes: GIB,
};

export function limitsOf(
  { tier, limits = {}, sandboxLimits: ofSandbox = {} }: LimitedAccount,
  sandbox: boolean,
): AccountLimits {
  return sandbox ? { ...sandboxLimits, ...ofSandbox } : { ...liveLimits[tier], ...limits };
}

export interface LimitedAccount {
  readonly tier: Tier;
  readonly limits?: LimitOverrides;
  readonly sandboxLimits?: LimitOverrides;
}
