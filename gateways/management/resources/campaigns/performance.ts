import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { creativeBreakdown, demandFigures } from '#actors/ledger/report/demand-report';
import { reportWindowOf } from '#actors/ledger/report/period';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import { ecpmCentsOf } from '#exchange/money/cents';
import { defineRoute } from '../../routing/route.ts';
import { demandFigureFields } from '../metrics/figures.ts';
import { loadLedgers } from '../metrics/load-ledgers.ts';
import { defaultPeriod, TimedMetricsQuery } from '../metrics/metrics-query.ts';
import { CampaignBudgetStatus, loadCampaignBudgetStatus } from './budget.ts';
import { CampaignParams, loadCampaign } from './campaign.ts';

const { period, impressions, bids, wins, win_rate, spend_cents } = demandFigureFields;

export const campaignPerformance = defineRoute({
  method: 'GET',
  path: '/api/campaigns/:id/performance',
  tag: 'Campaigns',
  operationId: 'getCampaignPerformance',
  summary: 'Read what a campaign bid, won and spent, by creative too',
  description: '`spend_cents` is gross: what the impressions cost. Figures come up to a minute after the events.',
  access: 'account',
  params: CampaignParams,
  query: Type.Object({ period: TimedMetricsQuery.properties.period, region: TimedMetricsQuery.properties.region }),
  answer: {
    status: 200,
    schema: Type.Object({
      id: Uuid,
      campaign_id: Type.String(),
      dsp_id: Uuid,
      period,
      impressions,
      spend_cents,
      ecpm_cents: Type.Number(),
      bids,
      wins,
      win_rate,
      budget: CampaignBudgetStatus,
      creatives: Type.Array(
        Type.Object({
          creative_id: Type.String(),
          bids,
          wins,
          win_rate,
          impressions,
          ecpm_cents: Type.Number(),
        }),
      ),
    }),
  },
  async handle({ params: { id }, query: { period = defaultPeriod, region = null }, caller, parts }) {
    const { state, dsp } = await loadCampaign(parts, id, caller);
    const { sandbox, sandboxGeneration } = dsp;
    const nowMs = parts.clock.now();
    const ledgers = await loadLedgers(parts, [{ scope: 'campaign', id, sandbox, sandboxGeneration }], period, nowMs);
    const sum = sumLedgers(ledgers, reportWindowOf(period, nowMs), region);
    const figures = demandFigures(sum, period);
    return {
      id,
      campaign_id: state.campaign?.campaign_id ?? '',
      dsp_id: state.dspId,
      period,
      impressions: figures.impressions,
      spend_cents: figures.spend_cents,
      ecpm_cents: ecpmCentsOf(sum.grossNanos, sum.impressions),
      bids: figures.bids,
      wins: figures.wins,
      win_rate: figures.win_rate,
      budget: await loadCampaignBudgetStatus(parts, id, state, dsp),
      creatives: creativeBreakdown(sum),
    };
  },
});
