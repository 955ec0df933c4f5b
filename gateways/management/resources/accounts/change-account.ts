import type { Static, TObject } from 'typebox';
import Type from 'typebox';
import { account } from '#actors/account/account';
import { usageEtag, usageOfAccount } from '../../quotas/usage.ts';
import type { Call } from '../../routing/route.ts';
import { withoutUndefined } from '../fields.ts';
import { type AccountWithUsage, accountFields, showAccount } from './account.ts';

export const AccountChanges = Type.Partial(Type.Object(accountFields), { additionalProperties: false });
export type AccountChanges = Static<typeof AccountChanges>;

/** Changes the given fields of an account and answers the account with its revision. */
export async function changeAccount(
  {
    identity,
    expecting,
    revision,
    parts,
  }: Pick<Call<TObject, TObject, TObject, 'account'>, 'identity' | 'expecting' | 'revision' | 'parts'>,
  id: string,
  { name, tier, requests_per_minute: requestsPerMinute, limits, sandbox_limits: sandboxLimits }: AccountChanges,
): Promise<AccountWithUsage> {
  const updated = await parts.messenger.ask(
    account,
    id,
    'update',
    { ...withoutUndefined({ name, tier, requestsPerMinute, limits, sandboxLimits }), ...(expecting && { expecting }) },
    { requestId: identity.askId() },
  );
  const usage = await usageOfAccount(parts, id);
  revision(updated.revision, usageEtag(usage));
  return { ...showAccount(id, updated), usage };
}
