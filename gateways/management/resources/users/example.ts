import { exampleOf } from '#actors/field-table';
import { userFields } from '#actors/user/fields';
import type { User } from './user.ts';

/** The example user of the API's description. */
export const userExample: User = {
  ...exampleOf(userFields),
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};
