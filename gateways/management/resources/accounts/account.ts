import Type, { type Static } from 'typebox';
import { account } from '#actors/account/account';
import { LimitOverrides, limitsOf } from '#actors/account/limits';
import type { AccountState } from '#actors/account/reduce';
import { Tier } from '#actors/account/tier';
import { Name, Timestamp, Uuid } from '#actors/api-schemas';
import { ApiError } from '#gateways/errors';
import type { ManagementDeps } from '../../deps.ts';

const Figures = Type.Record(Type.String(), Type.Integer({ minimum: 0 }));
const Environments = (description: string) => Type.Object({ live: Figures, sandbox: Figures }, { description });

/** An account as the API shows it. */
export const Account = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    tier: Tier,
    requests_per_minute: Type.Integer({
      description: 'Of the management API, for all keys and sessions of the account together.',
    }),
    limits: Environments('What the account may have, in all: counts, and bytes.'),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Account' },
);
export type Account = Static<typeof Account>;

/** An account as it is read: with its usage under each limit. */
export const AccountWithUsage = Type.Object(
  {
    ...Account.properties,
    usage: Environments('What the account has, by the names of `limits`; about right until the first creation.'),
  },
  { title: 'AccountWithUsage' },
);
export type AccountWithUsage = Static<typeof AccountWithUsage>;

const limitOverridesField = Type.Unsafe<Static<typeof LimitOverrides>>({
  ...LimitOverrides,
  description:
    "By the names that `limits` shows, in the place of all that was set before; what is left out is as the tier says. Operators' alone.",
});

/** The writable fields; each route says which callers may write them. */
export const accountFields = {
  name: Name,
  tier: Tier,
  requests_per_minute: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      description: 'Of an enterprise account alone; the other tiers have theirs. 5,000 until one is set.',
    }),
  ),
  limits: Type.Optional(limitOverridesField),
  sandbox_limits: Type.Optional(limitOverridesField),
};

export function showAccount(id: string, state: AccountState): Account {
  return {
    id,
    name: state.name,
    tier: state.tier,
    requests_per_minute: state.requestsPerMinute,
    limits: { live: { ...limitsOf(state, false) }, sandbox: { ...limitsOf(state, true) } },
    created_at: state.createdAt,
    updated_at: state.updatedAt,
  };
}

export async function loadAccount({ store }: ManagementDeps, id: string): Promise<AccountState> {
  const [document] = await store.load([{ kind: account.kind, id }]);
  const state = document && !document.deleted ? (document.state as AccountState) : null;
  if (!state?.open) throw new ApiError('NOT_FOUND', 'The account does not exist.');
  return state;
}
