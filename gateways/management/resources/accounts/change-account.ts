import type { Static, TObject } from 'typebox';
import Type from 'typebox';
import { account } from '#actors/account/account';
import { accountFields } from '#actors/account/fields';
import { changesFrom, writtenProperties } from '#actors/field-table';
import { usageEtag, usageOfAccount } from '../../quotas/usage.ts';
import type { Call } from '../../routing/route.ts';
import { type AccountWithUsage, showAccount } from './account.ts';

export const AccountChanges = Type.Partial(Type.Object(writtenProperties(accountFields)), {
  additionalProperties: false,
});
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
  changes: AccountChanges,
): Promise<AccountWithUsage> {
  const updated = await parts.messenger.ask(
    account,
    id,
    'update',
    { ...changesFrom(accountFields, changes), ...(expecting && { expecting }) },
    { requestId: identity.askId() },
  );
  const usage = await usageOfAccount(parts, id);
  revision(updated.revision, usageEtag(usage));
  return { ...showAccount(id, updated), usage };
}
