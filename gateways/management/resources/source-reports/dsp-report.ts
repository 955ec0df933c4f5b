import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { monthOf } from '#actors/ledger/report/month';
import { reportWindowOf } from '#actors/ledger/report/period';
import { dspReportFigures } from '#actors/ledger/report/source-report';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import { defineRoute } from '../../routing/route.ts';
import { loadLedgers } from '../metrics/load-ledgers.ts';
import { oneRow } from './one-row.ts';
import { loadOwnSource } from './own-source.ts';
import { defaultReportPeriod, Month, ReportPeriod, ReportQuery } from './report-query.ts';

export const dspReport = defineRoute({
  method: 'GET',
  path: '/api/demand/report',
  tag: 'Source reports',
  operationId: 'getDemandReport',
  summary: "Read what the key's demand source bought",
  description:
    'A period ends now and covers at least the time that it names: whole UTC days for `7d`, `14d` and `30d`, hours for `24h`, the one in which the time began included. `month` is the current one. A demand source in the sandbox reads its sandbox books.',
  access: 'dsp-key',
  query: ReportQuery,
  answer: {
    status: 200,
    schema: Type.Object({
      dsp: Type.String({ description: 'Its name.' }),
      dsp_id: Uuid,
      period: ReportPeriod,
      month: Month,
      spend_cents: Type.Number({ description: 'Before the exchange’s fee, which the invoice adds.' }),
      wins: Type.Integer({
        description:
          'Auctions won whose ad was rendered, as on the invoice. Metrics and stats count all that were won.',
      }),
      avg_cpm: Type.Number({ description: 'USD CPM of that spend, with up to 6 decimals.' }),
    }),
    csv: oneRow,
  },
  examples: {
    answer: {
      dsp: 'Harbour Buyers',
      dsp_id: '00000000-0000-4000-8000-00000000000b',
      period: '7d',
      month: '2026-03',
      spend_cents: 250,
      wins: 1000,
      avg_cpm: 2.5,
    },
  },
  async handle({ query: { period = defaultReportPeriod }, source, parts }) {
    const { name, sandbox, sandboxGeneration } = await loadOwnSource(parts, source);
    const nowMs = parts.clock.now();
    const ledgers = await loadLedgers(
      parts,
      [{ scope: 'dsp', id: source.id, sandbox, sandboxGeneration }],
      period,
      nowMs,
    );
    const figures = dspReportFigures(sumLedgers(ledgers, reportWindowOf(period, nowMs)));
    return { dsp: name, dsp_id: source.id, period, month: monthOf(nowMs), ...figures };
  },
});
