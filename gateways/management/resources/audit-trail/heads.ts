import Type from 'typebox';
import { dailyAuditRoot } from '#actors/audit-chain/daily-root';
import { defineRoute } from '../../routing/route.ts';

export const auditTrailHeads = defineRoute({
  method: 'GET',
  path: '/api/audit-trail/heads',
  tag: 'Operators',
  operationId: 'getAuditTrailHeads',
  summary: 'Where the audit trail of a day ends',
  description:
    'One hash over all entries of a UTC day. Noted outside the exchange (the job `audit` logs it each night), it shows later whether any entry of the day was altered, removed, inserted or moved since, even by somebody who could write the whole database.',
  access: 'operator',
  query: Type.Object({
    day: Type.String({ format: 'date', description: 'UTC; of a day that is over it stays as it is.' }),
  }),
  examples: {
    answer: {
      day: '2026-03-01',
      chains: 2,
      entries: 31,
      root: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    },
  },
  answer: {
    status: 200,
    schema: Type.Object({
      day: Type.String(),
      chains: Type.Integer({ description: 'One for each account on whose behalf something was changed.' }),
      entries: Type.Integer(),
      root: Type.String({ description: 'SHA-256 over the ids, counts and last hashes of the chains.' }),
    }),
    headers: { 'Cache-Control': 'no-store' },
  },
  handle: ({ query: { day }, parts }) => dailyAuditRoot(parts.store, day),
});
