import Type from 'typebox';
import { Nullable } from '#actors/api-schemas';
import { CURRENCY_RATES_ID, currencyRates } from '#actors/currency-rates/currency-rates';
import type { CurrencyRatesState } from '#actors/currency-rates/reduce';
import { defineRoute } from '../../routing/route.ts';

export const readCurrencyRates = defineRoute({
  method: 'GET',
  path: '/api/currency-rates',
  tag: 'Service',
  operationId: 'getCurrencyRates',
  summary: 'Read the rates that floors and bids in other currencies are converted with',
  description:
    'Auctions, budgets, reports and statements are in US dollars. An auction is held with the rates of its moment; the auction explorer shows them. Needs no credentials.',
  access: 'public',
  answer: {
    status: 200,
    schema: Type.Object({
      base: Type.Literal('USD', { description: 'What the rates are in.' }),
      in_use: Type.Boolean({
        description: 'False while nothing is converted: there are no rates, or they are too old.',
      }),
      as_of: Nullable(Type.String({ format: 'date-time', description: 'The date that their source gives them.' })),
      fetched_at: Nullable(Type.String({ format: 'date-time', description: 'When their source was last read.' })),
      source: Nullable(Type.String({ description: 'The host that they are from, or `file`.' })),
      dollars_per_unit: Type.Record(Type.String(), Type.Number(), {
        description: 'What one unit is worth in US dollars, by ISO 4217 code.',
      }),
      doubted: Type.Record(Type.String(), Type.Number(), {
        description:
          'Rates that changed by more than a quarter at once: their currencies are not converted until the source repeats them for a later date.',
      }),
    }),
    headers: { 'Cache-Control': 'public, max-age=60' },
  },
  examples: {
    answer: {
      base: 'USD',
      in_use: true,
      as_of: '2026-03-14T00:00:00.000Z',
      fetched_at: '2026-03-14T16:30:00.000Z',
      source: 'rates.example',
      dollars_per_unit: { EUR: 1.0837, GBP: 1.2931, JPY: 0.0067 },
      doubted: {},
    },
  },
  async handle({ parts: { store, currencyRates: current } }) {
    const [document] = await store.load([{ kind: currencyRates.kind, id: CURRENCY_RATES_ID }]);
    const state = document?.state as CurrencyRatesState | undefined;
    return {
      base: 'USD' as const,
      in_use: current.current() !== null,
      as_of: state?.asOf || null,
      fetched_at: state?.fetchedAt || null,
      source: state?.source || null,
      dollars_per_unit: state?.dollarsPerUnit ?? {},
      doubted: state?.doubted ?? {},
    };
  },
});
