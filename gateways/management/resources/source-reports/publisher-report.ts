import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { monthOf } from '#actors/ledger/report/month';
import { reportWindowOf } from '#actors/ledger/report/period';
import { publisherReportFigures } from '#actors/ledger/report/source-report';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import { defineRoute } from '../../routing/route.ts';
import { loadLedgers } from '../metrics/load-ledgers.ts';
import { oneRow } from './one-row.ts';
import { loadOwnSource } from './own-source.ts';
import { defaultReportPeriod, Month, ReportPeriod, ReportQuery } from './report-query.ts';

export const publisherReport = defineRoute({
  method: 'GET',
  path: '/api/source/report',
  tag: 'Source reports',
  operationId: 'getSourceReport',
  summary: "Read what the key's publisher sold",
  description:
    'A period ends now and covers at least the time that it names: whole UTC days for `7d`, `14d` and `30d`, hours for `24h`, the one in which the time began included. `month` is the current one. A publisher in the sandbox reads its sandbox books.',
  access: 'publisher-key',
  query: ReportQuery,
  answer: {
    status: 200,
    schema: Type.Object({
      publisher: Type.String({ description: 'Its name.' }),
      publisher_id: Uuid,
      period: ReportPeriod,
      month: Month,
      impressions: Type.Integer(),
      revenue_cents: Type.Number({ description: 'The payout: gross less the exchange’s fee.' }),
      auctions: Type.Integer(),
      fill_rate: Type.Number(),
      avg_cpm: Type.Number({ description: 'USD CPM of that revenue, with up to 6 decimals.' }),
    }),
    csv: oneRow,
  },
  examples: {
    answer: {
      publisher: 'Harbour News',
      publisher_id: '00000000-0000-4000-8000-00000000000a',
      period: '7d',
      month: '2026-03',
      impressions: 1000,
      revenue_cents: 212.5,
      auctions: 5000,
      fill_rate: 0.25,
      avg_cpm: 2.125,
    },
  },
  async handle({ query: { period = defaultReportPeriod }, source, parts }) {
    const { name, sandbox, sandboxGeneration } = await loadOwnSource(parts, source);
    const nowMs = parts.clock.now();
    const ledgers = await loadLedgers(
      parts,
      [{ scope: 'publisher', id: source.id, sandbox, sandboxGeneration }],
      period,
      nowMs,
    );
    const figures = publisherReportFigures(sumLedgers(ledgers, reportWindowOf(period, nowMs)));
    return { publisher: name, publisher_id: source.id, period, month: monthOf(nowMs), ...figures };
  },
});
