import Type from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { DAILY_PERIODS, dailyReport } from '#actors/ledger/report/daily-report';
import { defineRoute } from '../../routing/route.ts';
import { loadLedgers } from '../metrics/load-ledgers.ts';
import { loadSupplySource } from '../supply-sources/supply-source.ts';

const Count = Type.Integer({ minimum: 0 });

export const partnerReport = defineRoute({
  method: 'GET',
  path: '/api/partner/report',
  tag: 'Partners',
  operationId: 'getPartnerReport',
  summary: 'Read what one publisher sold, day by day',
  description:
    'A row for each UTC day of `period`, today included, oldest first; days without traffic are rows of zeros. `X-User-Partner-ID` is not needed; with it, the publisher must be that partner’s.',
  access: 'account',
  query: Type.Object({
    publisher_id: Uuid,
    period: Type.Optional(Type.Enum([...DAILY_PERIODS], { default: '30d' })),
  }),
  answer: {
    status: 200,
    schema: Type.Object({
      publisher_id: Uuid,
      days: Type.Array(
        Type.Object({
          date: Type.String({ format: 'date' }),
          auctions: Count,
          impressions: Count,
          fill_rate: Type.Number(),
          revenue_cents: Type.Number({ description: 'The payout: gross less the exchange’s fee.' }),
          ecpm_cents: Type.Number(),
        }),
      ),
    }),
    csv: ({ days }) => ({
      columns: ['date', 'auctions', 'impressions', 'fill_rate', 'revenue_cents', 'ecpm_cents'],
      rows: days.map((day) => [
        day.date,
        day.auctions,
        day.impressions,
        day.fill_rate,
        day.revenue_cents,
        day.ecpm_cents,
      ]),
    }),
  },
  errors: ['NOT_FOUND'],
  examples: {
    answer: {
      publisher_id: '00000000-0000-4000-8000-00000000000a',
      days: [
        {
          date: '2026-03-14',
          auctions: 5000,
          impressions: 1000,
          fill_rate: 0.25,
          revenue_cents: 212.5,
          ecpm_cents: 212.5,
        },
      ],
    },
  },
  async handle({ query: { publisher_id: id, period = '30d' }, caller, parts }) {
    const { sandbox, sandboxGeneration } = await loadSupplySource(parts, id, caller);
    const nowMs = parts.clock.now();
    const ledgers = await loadLedgers(parts, [{ scope: 'publisher', id, sandbox, sandboxGeneration }], period, nowMs);
    return { publisher_id: id, days: dailyReport(ledgers, period, nowMs) };
  },
});
