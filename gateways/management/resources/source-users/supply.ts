import Type from 'typebox';
import { optionalPaging } from '../../lists/page-of.ts';
import { defineRoute } from '../../routing/route.ts';
import { loadSupplySource, SupplySourceParams } from '../supply-sources/supply-source.ts';
import { removeSourceUser, SourceUserParams, SourceUsers, sourceUsersOf, usersExample } from './users-of-source.ts';

export const listSupplySourceUsers = defineRoute({
  method: 'GET',
  path: '/api/supply/sources/:id/users',
  tag: 'Supply',
  operationId: 'listSupplySourceUsers',
  summary: 'List the own people of a supply source, who log in and see it alone',
  description: 'They come by invitations (`POST /api/invitations`).',
  access: 'session',
  params: SupplySourceParams,
  query: Type.Object(optionalPaging),
  examples: { answer: usersExample },
  answer: { status: 200, schema: SourceUsers },
  async handle({ params: { id }, query, caller, parts }) {
    const { accountId } = await loadSupplySource(parts, id, caller);
    return sourceUsersOf(parts, { type: 'publisher', id, accountId }, query);
  },
});

export const removeSupplySourceUser = defineRoute({
  method: 'DELETE',
  path: '/api/supply/sources/:id/users/:user_id',
  tag: 'Supply',
  operationId: 'deleteSupplySourceUser',
  summary: 'Remove one of the own people of a supply source for good',
  description: 'All sessions of the user end at once, and the email is free.',
  access: 'session',
  params: SourceUserParams,
  errors: ['CONFLICT'],
  answer: { status: 204, schema: Type.Null() },
  async handle({ params: { id, user_id: userId }, caller, identity, parts }) {
    const { accountId } = await loadSupplySource(parts, id, caller);
    await removeSourceUser(parts, { type: 'publisher', id, accountId }, userId, identity);
    return null;
  },
});
