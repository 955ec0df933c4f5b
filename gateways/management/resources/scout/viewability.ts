import Type, { type Static } from 'typebox';
import { Nullable, Timestamp, Uuid } from '#actors/api-schemas';
import { dsp } from '#actors/dsp/dsp';
import type { DspState } from '#actors/dsp/reduce';
import type { LedgerSum } from '#actors/ledger/report/ledger-sum';
import { type LedgerOwner, reportWindowOf } from '#actors/ledger/report/period';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import {
  noViewabilityCounts,
  totalViewabilityCounts,
  viewabilityByRow,
  viewabilityByTime,
  viewabilityOf,
} from '#actors/ledger/report/viewability';
import { boundedRowName } from '#actors/ledger/row-name';
import { publisher } from '#actors/publisher/publisher';
import type { PublisherState } from '#actors/publisher/reduce';
import { ApiError } from '#gateways/errors';
import { loadVisible } from '../../changes/load-visible.ts';
import type { ManagementDeps } from '../../deps.ts';
import type { Caller } from '../../identity/caller.ts';
import { defineRoute } from '../../routing/route.ts';
import { loadLedgers } from '../metrics/load-ledgers.ts';
import { defaultPeriod, TimedMetricsQuery } from '../metrics/metrics-query.ts';

const figures = {
  impressions: Type.Integer({ minimum: 0, description: 'Billed.' }),
  measurable: Type.Integer({ minimum: 0, description: 'Of which it could be told whether they were seen.' }),
  viewable: Type.Integer({ minimum: 0, description: 'That were seen, by the MRC’s guidelines.' }),
  measurable_rate: Type.Number({ minimum: 0, maximum: 1, description: 'Measurable ÷ impressions.' }),
  viewable_rate: Type.Number({ minimum: 0, maximum: 1, description: 'Viewable ÷ measurable.' }),
};

const ViewabilityAnswer = Type.Object({
  publisher_id: Nullable(Uuid),
  dsp_id: Nullable(Uuid),
  creative_id: Nullable(Type.String()),
  period: TimedMetricsQuery.properties.period,
  ...figures,
  publishers: Type.Array(Type.Object({ publisher_id: Type.String(), ...figures }), {
    description: 'Of a demand source, the most impressions first; `*` are those beyond the books’ bound.',
  }),
  dsps: Type.Array(Type.Object({ dsp_id: Type.String(), ...figures }), { description: 'Of a publisher.' }),
  creatives: Type.Array(Type.Object({ creative_id: Type.String(), ...figures }), {
    description: 'Of a demand source.',
  }),
  buckets: Type.Optional(
    Type.Array(Type.Object({ timestamp: Timestamp, ...figures }), {
      description: 'With `breakdown=time`: of all of the publisher or demand source, whatever is narrowed.',
    }),
  ),
});

const description = `Of a publisher, with its demand sources apart; of a demand source, with its publishers and creatives apart; of both, what the one showed of the other. \`creative_id\` narrows a demand source to one creative.

An event counts once for a billed impression, whichever edges and however often they hear of it, in the minute in which it was told; an impression in the one in which it was billed. What stands at the edge of a period without its impression is left out of it. Audio is heard: its impressions are none that could be measured. Of video it is known since VAST 4.0, whose players tell it (\`ViewableImpression\`); a VAST 2 or 3 has no such element, and that an ad has started or reached a quartile says nothing of it being seen.`;

export const readViewability = defineRoute({
  method: 'GET',
  path: '/api/scout/viewability',
  tag: 'Metrics',
  operationId: 'getViewability',
  summary: 'Read how much of what was shown could be measured and was seen',
  description,
  access: 'account',
  query: Type.Object({
    publisher_id: Type.Optional(Type.String({ format: 'uuid', description: 'A supply source of the caller’s.' })),
    dsp_id: Type.Optional(
      Type.String({ format: 'uuid', description: 'A demand source; of the caller’s, unless there is a publisher.' }),
    ),
    creative_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1_000, description: '`crid`; needs `dsp_id` alone.' }),
    ),
    ...TimedMetricsQuery.properties,
  }),
  errors: ['NOT_FOUND'],
  answer: { status: 200, schema: ViewabilityAnswer },
  async handle({ query, caller, parts }): Promise<Static<typeof ViewabilityAnswer>> {
    const { publisher_id: publisherId, dsp_id: dspId, creative_id: crid, breakdown } = query;
    const { period = defaultPeriod, region = null } = query;
    const source = await ledgerOwnerOf(parts, caller, query);
    const nowMs = parts.clock.now();
    const ledgers = await loadLedgers(parts, [source], period, nowMs);
    const sum = sumLedgers(ledgers, reportWindowOf(period, nowMs), region);
    const both = publisherId !== undefined && dspId !== undefined;
    const counts = both
      ? (sum.counterparties.get(dspId) ?? noViewabilityCounts)
      : crid === undefined
        ? totalViewabilityCounts(sum)
        : (sum.creatives.get(boundedRowName(crid)) ?? noViewabilityCounts);
    return {
      publisher_id: publisherId ?? null,
      dsp_id: dspId ?? null,
      creative_id: crid ?? null,
      period,
      ...viewabilityOf(counts),
      ...(both || crid !== undefined ? { publishers: [], dsps: [], creatives: [] } : breakdownOf(sum, source.scope)),
      ...(breakdown === 'time'
        ? {
            buckets: viewabilityByTime(ledgers, period, nowMs, region).map(({ timestamp, seen: counts }) => ({
              timestamp,
              ...counts,
            })),
          }
        : {}),
    };
  },
});

function breakdownOf(
  sum: LedgerSum,
  scope: LedgerOwner['scope'],
): Pick<Static<typeof ViewabilityAnswer>, 'publishers' | 'dsps' | 'creatives'> {
  const counterparties = viewabilityByRow(sum.counterparties);
  return {
    publishers: scope === 'dsp' ? counterparties.map(([id, counts]) => ({ publisher_id: id, ...counts })) : [],
    dsps: scope === 'publisher' ? counterparties.map(([id, counts]) => ({ dsp_id: id, ...counts })) : [],
    creatives: viewabilityByRow(sum.creatives).map(([id, counts]) => ({ creative_id: id, ...counts })),
  };
}

interface ViewabilityQuery {
  readonly publisher_id?: string;
  readonly dsp_id?: string;
  readonly creative_id?: string;
}

/** The owner of the ledgers that are read: the publisher when one is named, else the demand source. */
async function ledgerOwnerOf(
  deps: ManagementDeps,
  { scope }: Caller,
  { publisher_id: publisherId, dsp_id: dspId, creative_id: crid }: ViewabilityQuery,
): Promise<LedgerOwner> {
  if (publisherId === undefined && dspId === undefined) {
    throw new ApiError('INVALID_PARAMS', 'Give publisher_id, dsp_id or both.', 'publisher_id');
  }
  if (crid !== undefined && (dspId === undefined || publisherId !== undefined)) {
    throw new ApiError(
      'INVALID_PARAMS',
      'creative_id narrows a demand source: give dsp_id, without publisher_id.',
      'creative_id',
    );
  }
  const [kind, id, name] =
    publisherId === undefined
      ? ([dsp.kind, dspId!, 'The demand source'] as const)
      : ([publisher.kind, publisherId, 'The supply source'] as const);
  const state = await loadVisible<DspState | PublisherState>(deps, kind, id, scope, name);
  const { sandbox, sandboxGeneration } = state;
  return { scope: publisherId === undefined ? 'dsp' : 'publisher', id, sandbox, sandboxGeneration };
}
