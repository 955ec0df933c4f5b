import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { defineRoute } from '../../routing/route.ts';
import { AccountWithUsage } from './account.ts';
import { AccountChanges, changeAccount } from './change-account.ts';

export const updateAccount = defineRoute({
  method: 'PUT',
  partial: true,
  path: '/api/accounts/:id',
  tag: 'Operators',
  operationId: 'updateAccount',
  summary: 'Change the fields given of an account',
  description: 'Another tier without a rate brings the rate of that tier. A new rate counts from the next request on.',
  access: 'operator',
  revised: true,
  params: Type.Object({ id: Uuid }),
  body: AccountChanges,
  examples: { body: { tier: 'enterprise', requests_per_minute: 20_000 } },
  answer: { status: 200, schema: AccountWithUsage },
  async handle({ params: { id }, body, ...call }) {
    return changeAccount(call, id, body);
  },
});
