import Type from 'typebox';
import { account } from '#actors/account/account';
import type { AccountState } from '#actors/account/reduce';
import { createdFrom } from '#actors/field-table';
import { userFields } from '#actors/user/fields';
import { emailNameId } from '#actors/user/reduce';
import { user } from '#actors/user/user';
import { ApiError } from '#gateways/errors';
import { createNamed } from '../../changes/create-named.ts';
import { hashPassword } from '../../identity/passwords/password-hash.ts';
import { withinQuota } from '../../quotas/within-quota.ts';
import { defineRoute } from '../../routing/route.ts';
import { userExample } from './example.ts';
import { operatorFields, showUser, User } from './user.ts';

export const createUser = defineRoute({
  method: 'POST',
  path: '/api/users',
  tag: 'Operators',
  operationId: 'createUser',
  summary: 'Create a user, who can log in at once',
  description: 'Email addresses are unique over all accounts. An operator is a user with the role `operator`.',
  access: 'operator',
  revised: true,
  body: Type.Object(
    {
      ...operatorFields,
      account_id: Type.Optional(
        Type.String({ format: 'uuid', description: "The account to act for; by default the operator's own." }),
      ),
    },
    { additionalProperties: false },
  ),
  examples: {
    body: { email: userExample.email, password: 'a phrase that only Ann knows', name: userExample.name },
    answer: userExample,
  },
  answer: { status: 201, schema: User },
  async handle({ body, caller, identity, revision, parts }) {
    const accountId = body.account_id ?? caller.accountId;
    const [document] = await parts.store.load([{ kind: account.kind, id: accountId }]);
    if (!(document?.state as AccountState | undefined)?.open) {
      throw new ApiError('VALIDATION_ERROR', 'account_id names no account.', 'account_id');
    }
    const { account_id: _, password, ...written } = body;
    const passwordHash = await hashPassword(password, parts.settings.passwordHashCost);
    const id = identity.newId;
    const holding = { accountId, sandbox: false, resource: 'users', id, bytes: 0 } as const;
    const created = await withinQuota(parts, holding, () =>
      createNamed(parts, {
        address: `${user.kind}/${id}`,
        identity,
        field: 'email',
        nameId: emailNameId(body.email),
        ask: (nameClaim, requestId) => {
          const fields = { accountId, ...createdFrom(userFields, written), passwordHash, nameClaim };
          return parts.messenger.ask(user, id, 'create', fields, { requestId });
        },
      }),
    );
    revision(created.revision);
    return showUser(id, created);
  },
});
