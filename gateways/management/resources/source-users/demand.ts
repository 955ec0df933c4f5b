import Type from 'typebox';
import { optionalPaging } from '../../lists/page-of.ts';
import { defineRoute } from '../../routing/route.ts';
import { DemandSourceParams, loadDemandSource } from '../demand-sources/demand-source.ts';
import { removeSourceUser, SourceUserParams, SourceUsers, sourceUsersOf, usersExample } from './users-of-source.ts';

export const listDemandSourceUsers = defineRoute({
  method: 'GET',
  path: '/api/demand/sources/:id/users',
  tag: 'Demand',
  operationId: 'listDemandSourceUsers',
  summary: 'List the own people of a demand source, who log in and see it alone',
  description: 'They come by invitations (`POST /api/invitations`).',
  access: 'session',
  params: DemandSourceParams,
  query: Type.Object(optionalPaging),
  examples: { answer: usersExample },
  answer: { status: 200, schema: SourceUsers },
  async handle({ params: { id }, query, caller, parts }) {
    const { accountId } = await loadDemandSource(parts, id, caller);
    return sourceUsersOf(parts, { type: 'dsp', id, accountId }, query);
  },
});

export const removeDemandSourceUser = defineRoute({
  method: 'DELETE',
  path: '/api/demand/sources/:id/users/:user_id',
  tag: 'Demand',
  operationId: 'deleteDemandSourceUser',
  summary: 'Remove one of the own people of a demand source for good',
  description: 'All sessions of the user end at once, and the email is free.',
  access: 'session',
  params: SourceUserParams,
  errors: ['CONFLICT'],
  answer: { status: 204, schema: Type.Null() },
  async handle({ params: { id, user_id: userId }, caller, identity, parts }) {
    const { accountId } = await loadDemandSource(parts, id, caller);
    await removeSourceUser(parts, { type: 'dsp', id, accountId }, userId, identity);
    return null;
  },
});
