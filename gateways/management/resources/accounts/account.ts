import Type, { type Static } from 'typebox';
import { account } from '#actors/account/account';
import { accountFields, Environments } from '#actors/account/fields';
import { limitsOf } from '#actors/account/limits';
import type { AccountState } from '#actors/account/reduce';
import { shownProperties, toApi } from '#actors/field-table';
import { ApiError } from '#gateways/errors';
import type { ManagementDeps } from '../../deps.ts';

/** An account as the API shows it. */
export const Account = Type.Object(shownProperties(accountFields), { title: 'Account' });
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

export function showAccount(id: string, state: AccountState): Account {
  const effectiveLimits = { live: { ...limitsOf(state, false) }, sandbox: { ...limitsOf(state, true) } };
  return toApi(accountFields, state, { id, effectiveLimits });
}

export async function loadAccount({ store }: ManagementDeps, id: string): Promise<AccountState> {
  const [document] = await store.load([{ kind: account.kind, id }]);
  const state = document && !document.deleted ? (document.state as AccountState) : null;
  if (!state?.open) throw new ApiError('NOT_FOUND', 'The account does not exist.');
  return state;
}
