import Type from 'typebox';
import { defineRoute } from '../../routing/route.ts';
import { PlatformFigures, TimeSeries } from './figures.ts';
import { TimedMetricsQuery } from './metrics-query.ts';
import { scopeFiguresOrSeries } from './scope-figures.ts';

export const platformMetrics = defineRoute({
  method: 'GET',
  path: '/api/metrics',
  tag: 'Metrics',
  operationId: 'getMetrics',
  summary: 'Read what all sources of the account, or of the partner, sold',
  description: "Of the sources that are the account's, or the partner's, now: archived ones and their past too.",
  access: 'account',
  query: TimedMetricsQuery,
  answer: { status: 200, schema: Type.Union([PlatformFigures, TimeSeries]) },
  handle: ({ query, caller, parts }) => scopeFiguresOrSeries(parts, caller, query),
});
