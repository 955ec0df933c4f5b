import type { Static, TObject } from 'typebox';
import Type from 'typebox';
import { account } from '../../../../actors/account/account.ts';
import type { AccountState } from '../../../../actors/account/reduce.ts';
import type { Call } from '../../routing/route.ts';
import { given } from '../fields.ts';
import { accountFields } from './account.ts';

export const AccountChanges = Type.Partial(Type.Object(accountFields), { additionalProperties: false });
export type AccountChanges = Static<typeof AccountChanges>;

/** Changes the fields given of an account, and answers its revision. */
export async function changeAccount(
  {
    identity,
    expecting,
    revision,
    parts,
  }: Pick<Call<TObject, TObject, TObject, 'account'>, 'identity' | 'expecting' | 'revision' | 'parts'>,
  id: string,
  { name, tier, requests_per_minute: requestsPerMinute, limits, sandbox_limits: sandboxLimits }: AccountChanges,
): Promise<AccountState> {
  const updated = await parts.messenger.ask<typeof account.messages, 'update', AccountState>(
    account,
    id,
    'update',
    { ...given({ name, tier, requestsPerMinute, limits, sandboxLimits }), ...(expecting && { expecting }) },
    { requestId: identity.askId() },
  );
  revision(updated.revision);
  return updated;
}
