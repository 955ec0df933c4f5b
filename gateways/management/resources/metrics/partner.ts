import Type from 'typebox';
import { defineRoute } from '../../routing/route.ts';
import { PlatformFigures, TimeSeries } from './figures.ts';
import { TimedMetricsQuery } from './metrics-query.ts';
import { scopeFiguresOrSeries } from './scope-figures.ts';

export const partnerMetrics = defineRoute({
  method: 'GET',
  path: '/api/metrics/partner',
  tag: 'Metrics',
  operationId: 'getPartnerMetrics',
  summary: "Read what a partner's sources sold",
  description: 'As `GET /api/metrics`, over the sources of the partner named by `X-User-Partner-ID`.',
  access: 'account',
  partner: 'required',
  query: TimedMetricsQuery,
  answer: { status: 200, schema: Type.Union([PlatformFigures, TimeSeries]) },
  handle: ({ query, caller, parts }) => scopeFiguresOrSeries(parts, caller, query),
});
