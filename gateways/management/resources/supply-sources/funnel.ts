import Type from 'typebox';
import { PERIODS, windowOf } from '../../../../actors/ledger/report/period.ts';
import { sumLedgers } from '../../../../actors/ledger/report/sum.ts';
import { supplyFunnel } from '../../../../actors/ledger/report/supply-funnel.ts';
import { defineRoute } from '../../routing/route.ts';
import { Uuid } from '../fields.ts';
import { FunnelReasons, showReasons } from '../funnel-reasons.ts';
import { InvalidTraffic, showInvalidTraffic } from '../invalid-traffic.ts';
import { loadLedgers } from '../metrics/load-ledgers.ts';
import { defaultPeriod, MetricsQuery } from '../metrics/metrics-query.ts';
import { loadSupplySource, SupplySourceParams } from './supply-source.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const supplySourceFunnel = defineRoute({
  method: 'GET',
  path: '/api/supply/sources/:id/funnel',
  tag: 'Supply',
  operationId: 'getSupplySourceFunnel',
  summary: 'Read where ad requests of a supply source went, step by step',
  description:
    '`requests` = `blocked.total` + `auctions`; `imps` = `filled` + `unfilled`. `rendered` counts impressions when they are billed. Why single auctions were not filled, their records say.',
  access: 'account',
  params: SupplySourceParams,
  query: MetricsQuery,
  answer: {
    status: 200,
    schema: Type.Object({
      publisher_id: Uuid,
      period: Type.Enum([...PERIODS]),
      requests: Count('Ad requests that could be read.'),
      blocked: { ...FunnelReasons, description: 'Answered 403.' },
      auctions: Count('Requests that reached the auction.'),
      imps: Count('Auctioned; a request may have several.'),
      filled: Count('Answered with an ad.'),
      unfilled: Count('Answered without.'),
      rendered: Count('Billed impressions; ads of a pod share an imp.'),
      invalid_traffic: InvalidTraffic,
      revenue_cents: Type.Number({
        description: "Cents, up to 4 decimals: the payout, gross less the exchange's fee.",
      }),
    }),
  },
  async handle({ params: { id }, query: { period = defaultPeriod, region = null }, caller, parts }) {
    const { sandbox, sandboxGeneration } = await loadSupplySource(parts, id, caller);
    const nowMs = parts.clock.now();
    const ledgers = await loadLedgers(parts, [{ scope: 'publisher', id, sandbox, sandboxGeneration }], period, nowMs);
    const sum = sumLedgers(ledgers, windowOf(period, nowMs), region);
    const { blocked, revenueCents, ...funnel } = supplyFunnel(sum);
    return {
      ...{ publisher_id: id, period, ...funnel, blocked: showReasons(blocked) },
      invalid_traffic: showInvalidTraffic(sum.counts),
      revenue_cents: revenueCents,
    };
  },
});
