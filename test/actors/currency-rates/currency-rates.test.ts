import { currencyRates } from '#actors/currency-rates/currency-rates';
import { beginningMs, runActorCases } from '../actor-cases.ts';

const fetchedAt = new Date(beginningMs).toISOString();
const publish = (asOf: string, dollarsPerUnit: Record<string, number>) => ({
  type: 'publish',
  body: { asOf, source: 'https://rates.test/latest.json', dollarsPerUnit },
});
const DAY_1 = '2026-03-14T00:00:00.000Z';
const DAY_2 = '2026-03-15T00:00:00.000Z';
const DAY_3 = '2026-03-16T00:00:00.000Z';

describe('actors/currency-rates', () => {
  runActorCases(currencyRates, 'usd', [
    {
      title: 'are what edges convert with',
      when: publish(DAY_1, { EUR: 1.1, JPY: 0.0064 }),
      does: {
        state: {
          asOf: DAY_1,
          source: 'https://rates.test/latest.json',
          fetchedAt,
          dollarsPerUnit: { EUR: 1.1, JPY: 0.0064 },
          doubted: {},
          doubtedAsOf: DAY_1,
          trusted: { EUR: 1.1, JPY: 0.0064 },
        },
        view: { asOf: DAY_1, dollarsPerUnit: { EUR: 1.1, JPY: 0.0064 } },
      },
    },
    {
      title: 'take the place of those of an earlier date; a currency that is gone is converted no more',
      given: [publish(DAY_1, { EUR: 1.1, JPY: 0.0064 })],
      when: publish(DAY_2, { EUR: 1.12 }),
      does: { view: { asOf: DAY_2, dollarsPerUnit: { EUR: 1.12 } } },
    },
    {
      title: 'do not go back to an earlier date',
      given: [publish(DAY_2, { EUR: 1.1 })],
      when: publish(DAY_1, { EUR: 1.05 }),
      does: { view: { asOf: DAY_2, dollarsPerUnit: { EUR: 1.1 } } },
    },
    {
      title: 'are corrected by their source for the same date',
      given: [publish(DAY_1, { EUR: 1.1 })],
      when: publish(DAY_1, { EUR: 1.09 }),
      does: { view: { asOf: DAY_1, dollarsPerUnit: { EUR: 1.09 } } },
    },
    {
      title: 'leave out a currency whose rate jumped, such as one the wrong way round',
      given: [publish(DAY_1, { EUR: 1.1, JPY: 0.0064 })],
      when: publish(DAY_2, { EUR: 1.1, JPY: 156 }),
      does: { view: { asOf: DAY_2, dollarsPerUnit: { EUR: 1.1 } } },
    },
    {
      title: 'leave out a currency that comes back with a rate that jumped',
      given: [publish(DAY_1, { EUR: 1.1, JPY: 0.0064 }), publish(DAY_2, { EUR: 1.1 })],
      when: publish(DAY_3, { EUR: 1.1, JPY: 156 }),
      does: { view: { asOf: DAY_3, dollarsPerUnit: { EUR: 1.1 } } },
    },
    {
      title: 'are not confirmed by the same date, however often it is read',
      given: [publish(DAY_1, { JPY: 0.0064 }), publish(DAY_2, { JPY: 156 })],
      when: publish(DAY_2, { JPY: 156 }),
      does: { view: { asOf: DAY_2, dollarsPerUnit: {} } },
    },
    {
      title: 'take a rate that jumped when a later date confirms it',
      given: [publish(DAY_1, { TRY: 0.05 }), publish(DAY_2, { TRY: 0.03 })],
      when: publish(DAY_3, { TRY: 0.031 }),
      does: { view: { asOf: DAY_3, dollarsPerUnit: { TRY: 0.031 } } },
    },
    {
      title: 'take a currency back when its source takes the jump back',
      given: [publish(DAY_1, { JPY: 0.0064 }), publish(DAY_2, { JPY: 156 })],
      when: publish(DAY_2, { JPY: 0.0065 }),
      does: { view: { asOf: DAY_2, dollarsPerUnit: { JPY: 0.0065 } } },
    },
    {
      title: 'doubt another jump anew',
      given: [publish(DAY_1, { JPY: 0.0064 }), publish(DAY_2, { JPY: 156 })],
      when: publish(DAY_3, { JPY: 2 }),
      does: { view: { asOf: DAY_3, dollarsPerUnit: {} } },
    },
  ]);
});
