import Type from 'typebox';
import { account } from '#actors/account/account';
import { accountFields } from '#actors/account/fields';
import { changesFrom, writtenProperties } from '#actors/field-table';
import { createAccountSandbox } from '../../bootstrap/account-sandbox.ts';
import { usageEtag, usageOfAccount } from '../../quotas/usage.ts';
import { defineRoute } from '../../routing/route.ts';
import { AccountWithUsage, showAccount } from './account.ts';

export const createAccount = defineRoute({
  method: 'POST',
  path: '/api/accounts',
  tag: 'Operators',
  operationId: 'createAccount',
  summary: 'Open an account',
  description:
    'It has no users and no keys yet, and a sandbox with test publishers and synthetic demand. Without a `tier` it is a standard account. Names of accounts need not differ.',
  access: 'operator',
  revised: true,
  body: Type.Object(writtenProperties(accountFields), { additionalProperties: false }),
  examples: { body: { name: 'Example Publishing', tier: 'partner' } },
  answer: { status: 201, schema: AccountWithUsage },
  async handle({ body, identity, revision, parts }) {
    const id = identity.newId;
    const opened = await parts.messenger.ask(
      account,
      id,
      'open',
      { name: body.name, tier: 'standard', ...changesFrom(accountFields, body) },
      { requestId: identity.askId() },
    );
    // The next start creates a sandbox that cannot be created now.
    await createAccountSandbox(parts, id).catch((err) => {
      parts.logger.warn({ err, accountId: id }, 'the sandbox of an account was not made; the next start makes it');
    });
    const usage = await usageOfAccount(parts, id);
    revision(opened.revision, usageEtag(usage));
    return { ...showAccount(id, opened), usage };
  },
});
