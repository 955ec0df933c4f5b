import type { BackgroundWorker } from '../background-worker.ts';

/** Keeps the rates of currencies current. The keeper belongs to a gateway and is passed in. */
export function keepCurrencyRates({ keep }: { keep: () => ReturnType<BackgroundWorker['start']> }): BackgroundWorker {
  return {
    name: 'keep-currency-rates',
    purpose: 'Reads the rates of currencies, where CURRENCY_RATES_URL names a source.',
    start: keep,
  };
}
