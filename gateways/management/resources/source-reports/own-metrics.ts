import type { DspState } from '#actors/dsp/reduce';
import type { PublisherState } from '#actors/publisher/reduce';
import { defineRoute } from '../../routing/route.ts';
import { DspMetrics, readDspMetrics } from '../metrics/dsp.ts';
import { TimedMetricsQuery } from '../metrics/metrics-query.ts';
import { PublisherMetrics, readPublisherMetrics } from '../metrics/publisher.ts';
import { loadOwnSource } from './own-source.ts';

export const publisherOwnMetrics = defineRoute({
  method: 'GET',
  path: '/api/source/metrics',
  tag: 'Source reports',
  operationId: 'getSourceMetrics',
  summary: "Read what the key's publisher sold, and to whom, or when",
  description:
    'As `GET /api/metrics/publisher/{publisher_id}` has it: who bought is named, at gross, and nobody who did not. A publisher in the sandbox reads its sandbox books.',
  access: 'publisher-key',
  query: TimedMetricsQuery,
  answer: { status: 200, schema: PublisherMetrics },
  async handle({ query, source, parts }) {
    const own = (await loadOwnSource(parts, source)) as PublisherState;
    return readPublisherMetrics(parts, source.id, own, own.sandbox, query);
  },
});

export const dspOwnMetrics = defineRoute({
  method: 'GET',
  path: '/api/demand/metrics',
  tag: 'Source reports',
  operationId: 'getDemandMetrics',
  summary: "Read what the key's demand source bid and bought, and from whom, or when",
  description:
    'As `GET /api/metrics/dsp/{dsp_id}` has it; spend is before the fee. A demand source in the sandbox reads its sandbox books.',
  access: 'dsp-key',
  query: TimedMetricsQuery,
  answer: { status: 200, schema: DspMetrics },
  async handle({ query, source, parts }) {
    const own = (await loadOwnSource(parts, source)) as DspState;
    return readDspMetrics(parts, source.id, own, own.sandbox, query);
  },
});
