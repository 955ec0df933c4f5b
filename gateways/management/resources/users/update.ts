import Type from 'typebox';
import { changesFrom } from '#actors/field-table';
import { userFields } from '#actors/user/fields';
import { emailNameId } from '#actors/user/reduce';
import { user } from '#actors/user/user';
import { updateNamed } from '../../changes/update-named.ts';
import { hashPassword } from '../../identity/passwords/password-hash.ts';
import { defineRoute } from '../../routing/route.ts';
import { withoutUndefined } from '../fields.ts';
import { userExample } from './example.ts';
import { resignOperator } from './resign-operator.ts';
import { loadUser, operatorFields, showUser, User, UserParams } from './user.ts';

export const updateUser = defineRoute({
  method: 'PUT',
  partial: true,
  path: '/api/users/:id',
  tag: 'Operators',
  operationId: 'updateUser',
  summary: 'Change the fields given of a user',
  description:
    'A new `password` and `status: disabled` end all sessions of the user at once. The last operator can neither be disabled nor become a member (409).',
  access: 'operator',
  revised: true,
  params: UserParams,
  body: Type.Partial(Type.Object({ ...operatorFields, status: Type.Enum(['active', 'disabled']) }), {
    additionalProperties: false,
  }),
  examples: { body: { status: 'disabled' }, answer: { ...userExample, status: 'disabled' } },
  answer: { status: 200, schema: User },
  errors: ['CONFLICT'],
  async handle({ params: { id }, body, identity, expecting, revision, parts }) {
    const before = await loadUser(parts, id);
    const { password, status, ...written } = body;
    const passwordHash =
      password === undefined ? undefined : await hashPassword(password, parts.settings.passwordHashCost);
    const changes = { ...changesFrom(userFields, written), ...withoutUndefined({ status, passwordHash }) };
    const leaving = await resignOperator(parts, id, before, { ...before, ...changes }, expecting);
    const updated = await updateNamed(parts, {
      address: `${user.kind}/${id}`,
      identity,
      field: 'email',
      load: () => loadUser(parts, id),
      nameIdAfter: (state) => emailNameId(changes.email ?? state.email),
      ask: (nameClaim, requestId) =>
        parts.messenger.ask(
          user,
          id,
          'update',
          { changes, ...leaving, ...(nameClaim && { nameClaim }), ...(expecting && { expecting }) },
          { requestId },
        ),
    });
    revision(updated.revision);
    return showUser(id, updated);
  },
});
