import Type from 'typebox';
import { defineRoute } from '../../routing/route.ts';
import { PlatformFigures, TimeSeries } from './figures.ts';
import { TimedMetricsQuery } from './metrics-query.ts';
import { scopeFiguresOrSeries } from './scope-figures.ts';

export const partnerMetrics = defineRoute({
  method: 'GET',
  path: '/api/metrics/partner',
  tag: 'Metrics',
  summary: "Read what a partner's sources sold",
  access: 'account',
  partner: 'required',
  query: TimedMetricsQuery,
  answer: { status: 200, schema: Type.Union([PlatformFigures, TimeSeries]) },
  handle: ({ query, caller, parts }) => scopeFiguresOrSeries(parts, caller, query),
});
