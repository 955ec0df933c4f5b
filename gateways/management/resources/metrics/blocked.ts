import Type from 'typebox';
import { PLATFORM_OWNER_ID } from '#actors/ledger/ledger-id';
import { defineRoute } from '../../routing/route.ts';
import { blockedFields, blockedFigures } from './blocked-requests.ts';
import { loadLedgers } from './load-ledgers.ts';
import { defaultPeriod, MetricsQuery } from './metrics-query.ts';

export const platformBlocked = defineRoute({
  method: 'GET',
  path: '/api/metrics/blocked',
  tag: 'Metrics',
  operationId: 'getBlockedRequests',
  summary: 'Read why ad requests were turned away, on the whole platform',
  description: 'Of all publishers, and of requests for publishers that nobody knows.',
  access: 'operator',
  query: MetricsQuery,
  answer: { status: 200, schema: Type.Object(blockedFields) },
  async handle({ query: { period = defaultPeriod, region = null }, caller, parts }) {
    const nowMs = parts.clock.now();
    const owner = { scope: 'platform', id: PLATFORM_OWNER_ID, sandbox: caller.sandbox } as const;
    return blockedFigures(await loadLedgers(parts, [owner], period, nowMs), period, region, nowMs);
  },
});
