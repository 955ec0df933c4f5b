import Type from 'typebox';
import { REGIONS } from '#exchange/region';
import { defineRoute } from '../routing/route.ts';

export const health = defineRoute({
  method: 'GET',
  path: '/api/health',
  tag: 'Service',
  operationId: 'getHealth',
  summary: 'Tell whether the service is up, where it runs and in which version',
  description:
    'Needs no credentials. Whether processes behind it are ready is told on the operations port (`/readyz`), not here.',
  access: 'public',
  answer: {
    status: 200,
    schema: Type.Object({
      /** `degraded`: the store cannot be reached. */
      status: Type.Enum(['ok', 'degraded']),
      region: Type.Enum([...REGIONS]),
      version: Type.String(),
    }),
    headers: { 'Cache-Control': 'no-store' },
  },
  async handle({ parts }) {
    const { region, version } = parts.settings;
    return { status: (await parts.store.healthy()) ? ('ok' as const) : ('degraded' as const), region, version };
  },
});
