import type { ApiKey } from './key.ts';

/** The example API key of the API's description. */
export const keyExample: ApiKey = {
  id: '6f0a1d3c-2b4e-8c5d-9e7f-3a2b1c0d4e5f',
  name: 'Reporting server',
  environment: 'live',
  hint: 'pk_live_Xk3v',
  created_at: '2026-03-01T09:30:00.000Z',
  expires_at: null,
  last_used_at: '2026-03-02T14:05:00.000Z',
  revoked_at: null,
};

/** The example of a key as it is shown once, before any use. */
export const keyWithSecretExample = {
  ...keyExample,
  last_used_at: null,
  key: 'pk_live_Xk3vexampleonlyexampleonly000000',
};
