import type { DatedRates } from '../../exchange/currency/currency-rates.ts';
import { defineActor } from '../../runtime/actor/define-actor.ts';
import { currencyRatesMessages } from './messages.ts';
import { CurrencyRatesState, takeRates } from './reduce.ts';

/** The one actor of this kind. */
export const CURRENCY_RATES_ID = 'usd';

/** What edges hold: the rates in use and their date. */
export type CurrencyRatesProjection = DatedRates;

/** The rates of currencies that all edges convert with. Id: {@link CURRENCY_RATES_ID}. */
export const currencyRates = defineActor({
  kind: 'currency-rates',
  schemaVersion: 1,
  saving: 'eager',
  audit: { none: 'Their source changes them, and nobody else can.' },
  state: CurrencyRatesState,
  messages: currencyRatesMessages,
  initial: (): CurrencyRatesState => ({
    asOf: '',
    source: '',
    fetchedAt: '',
    dollarsPerUnit: {},
    doubted: {},
    doubtedAsOf: '',
    trusted: {},
  }),
  handlers: {
    publish(state, body, { nowMs }) {
      const next = takeRates(state, body, nowMs);
      return { state: next, reply: next };
    },
  },
  projection: ({ asOf, dollarsPerUnit }): CurrencyRatesProjection | null =>
    asOf === '' ? null : { asOf, dollarsPerUnit },
});
