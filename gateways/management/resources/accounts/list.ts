import Type from 'typebox';
import { account } from '#actors/account/account';
import type { AccountState } from '#actors/account/reduce';
import { Tier } from '#actors/account/tier';
import { orderOf, sorting } from '../../lists/order-of.ts';
import { optionalPaging, pageOf } from '../../lists/page-of.ts';
import { defineRoute } from '../../routing/route.ts';
import { Account, showAccount } from './account.ts';

export const listAccounts = defineRoute({
  method: 'GET',
  path: '/api/accounts',
  tag: 'Operators',
  operationId: 'listAccounts',
  summary: 'List all accounts of the exchange, oldest first',
  description: 'Without `page` and `per_page` all of them.',
  access: 'operator',
  query: Type.Object({ tier: Type.Optional(Tier), ...sorting('created_at', 'updated_at', 'name'), ...optionalPaging }),
  answer: { status: 200, schema: Type.Object({ accounts: Type.Array(Account), total: Type.Integer() }) },
  async handle({ query, parts }) {
    const { tier, sort } = query;
    const { documents, total } = await parts.store.query(account.kind, {
      where: { open: true, ...(tier && { tier }) },
      ...orderOf(sort),
      ...pageOf(query),
    });
    return { accounts: documents.map(({ id, state }) => showAccount(id, state as AccountState)), total };
  },
});
