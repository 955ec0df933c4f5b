import Type from 'typebox';
import { PLATFORM_OWNER_ID } from '#actors/ledger/ledger-id';
import { PERIODS, reportWindowOf } from '#actors/ledger/report/period';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import { defineRoute } from '../../routing/route.ts';
import { InvalidTraffic, showInvalidTraffic } from '../invalid-traffic.ts';
import { loadLedgers } from './load-ledgers.ts';
import { defaultPeriod, MetricsQuery } from './metrics-query.ts';

export const platformInvalid = defineRoute({
  method: 'GET',
  path: '/api/metrics/invalid',
  tag: 'Metrics',
  operationId: 'getInvalidTraffic',
  summary: 'Read what was not billed as invalid traffic, and why, on the whole platform',
  description:
    'Ids taken in = `impressions` + `invalid_traffic.total` − `invalid_traffic.billed_later`. Forged, expired and repeated calls are none of them. What publishers and demand sources had of it, their funnels and their billing say.',
  access: 'operator',
  query: MetricsQuery,
  answer: {
    status: 200,
    schema: Type.Object({
      period: Type.Enum([...PERIODS]),
      impressions: Type.Integer({ minimum: 0, description: 'Billed.' }),
      invalid_traffic: InvalidTraffic,
    }),
  },
  async handle({ query: { period = defaultPeriod, region = null }, caller, parts }) {
    const nowMs = parts.clock.now();
    const owner = { scope: 'platform', id: PLATFORM_OWNER_ID, sandbox: caller.sandbox } as const;
    const { impressions, counts } = sumLedgers(
      await loadLedgers(parts, [owner], period, nowMs),
      reportWindowOf(period, nowMs),
      region,
    );
    return { period, impressions, invalid_traffic: showInvalidTraffic(counts) };
  },
});
