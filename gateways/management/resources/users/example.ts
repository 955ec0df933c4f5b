import type { User } from './user.ts';

/** The example user of the API's description. */
export const userExample: User = {
  id: '0d8f2c1e-5b7a-4f57-9a63-2f1c9a4be001',
  account_id: '00000000-0000-4000-8000-000000000001',
  email: 'ann@publisher.example',
  name: 'Ann',
  role: 'member',
  source: null,
  status: 'active',
  second_factor: false,
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};
