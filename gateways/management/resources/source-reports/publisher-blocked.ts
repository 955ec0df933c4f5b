import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { defineRoute } from '../../routing/route.ts';
import { blockedFields, blockedFigures } from '../metrics/blocked-requests.ts';
import { loadLedgers } from '../metrics/load-ledgers.ts';
import { defaultPeriod, MetricsQuery } from '../metrics/metrics-query.ts';
import { loadOwnSource } from './own-source.ts';

export const publisherBlocked = defineRoute({
  method: 'GET',
  path: '/api/source/blocked',
  tag: 'Source reports',
  operationId: 'getSourceBlocked',
  summary: "Read why ad requests of the key's publisher were turned away",
  description:
    'Ad requests that were answered 403 and reached no demand source, by reason. They are none of `bid_requests`. A publisher in the sandbox reads its sandbox books.',
  access: 'publisher-key',
  query: MetricsQuery,
  answer: { status: 200, schema: Type.Object({ publisher_id: Uuid, ...blockedFields }) },
  async handle({ query: { period = defaultPeriod, region = null }, source, parts }) {
    const { sandbox, sandboxGeneration } = await loadOwnSource(parts, source);
    const { id } = source;
    const nowMs = parts.clock.now();
    const ledgers = await loadLedgers(parts, [{ scope: 'publisher', id, sandbox, sandboxGeneration }], period, nowMs);
    return { publisher_id: id, ...blockedFigures(ledgers, period, region, nowMs) };
  },
});
